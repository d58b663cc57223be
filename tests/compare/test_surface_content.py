"""The content of surfaces: what follows from cells, and surfaces that were stored in the first schema."""

from __future__ import annotations

import json
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.models import Permalink
from benchdb.compare.surface import evaluate_surface
from benchdb.compare.surface_content import SCHEMA, SCHEMA_1, cells, derived, upgraded
from benchdb.compare.surface_selection import SurfaceSelection
from tests.support.comparisons import surface_run
from tests.support.html import read
from tests.support.store import make_user

NEW_IN_2 = (
    *("statistic", "margin", "level", "correction", "surfaces", "ratio", "ratio_averages", "left_out", "factor"),
    *("differences", "notes", "run_list", "recomputing", "benchdb_version"),
)


def content_of(owner: User, **fields: str) -> dict[str, Any]:
    """What is stored of a surface: through JSON, as the database has it."""
    selection = SurfaceSelection((surface_run(owner).id,), **fields)
    content: dict[str, Any] = json.loads(json.dumps(evaluate_surface(selection, make_user("reader"))[0]))
    return content


def as_stored_first(content: dict[str, Any]) -> dict[str, Any]:
    """The same surface as schema /1 had it."""
    (surface,) = content["surfaces"]
    kept = {key: value for key, value in content.items() if key not in NEW_IN_2}
    marks = [{key: mark[key] for key in ("label", "bytes", "axis")} for mark in content["marks"]]
    own = {key: surface[key] for key in ("cells", "command", "rounds")}
    return {**kept, **own, "schema": SCHEMA_1, "marks": [mark for mark in marks if mark["axis"] == "file_size"]}


def test_the_first_schema_is_read_as_the_second(owner: User) -> None:
    content = content_of(owner)

    found = upgraded(as_stored_first(content))

    assert found["schema"] == SCHEMA
    for name in ("surfaces", "left_out", "ratio", "file_sizes", "title", "query", "statistic"):
        assert found[name] == content[name], name
    assert [each.key for each in cells(found)] == [each.key for each in cells(content)]


def test_what_is_of_the_second_schema_or_a_table_stays_as_it_is(owner: User) -> None:
    content = content_of(owner)

    assert upgraded(content) is content
    assert upgraded({"schema": "benchdb.table/2"}) == {"schema": "benchdb.table/2"}


def test_a_permalink_of_the_first_schema_is_shown(client: Client, owner: User) -> None:
    content = content_of(owner)
    old = as_stored_first(content)
    Permalink.objects.create(
        id="a" * 16, owner=owner, kind="surface", query=old["query"], content=old, runs=content["runs"]
    )

    page = read(client.get(f"/c/{'a' * 16}/"))

    data = page.scripts["surface-data"]
    assert data["surfaces"][0]["label"] == "ext4"
    assert data["surfaces"][0]["text"][0][0] == "19.99 ± 0.13 MiB/s, n = 2"
    assert page.tables["surface-averages"][1][0].text == "cached"
    assert client.get(f"/c/{'a' * 16}.json").json() == old


def test_what_follows_from_the_cells_is_found_again(owner: User) -> None:
    content = content_of(owner)

    assert derived(content) == content
    content["surfaces"][0]["cells"][2][1] = None
    (found,) = derived(content)["surfaces"]
    assert found["averages"][0]["cells"] == content["surfaces"][0]["averages"][0]["cells"] - 1
