"""The content of a table: gone through cell by cell, and one of an older schema read as one of the newest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from benchdb.compare import pages
from benchdb.compare.content import SCHEMA, cells, upgraded
from benchdb.compare.selection import Selection
from benchdb.compare.table import evaluate
from tests.support.comparisons import compared_runs, ids, values
from tests.support.documents import GIB, MIB, result
from tests.support.store import store_run

STORED = Path(__file__).parent / "stored" / "table-1.json"


@pytest.fixture
def old() -> dict[str, Any]:
    """What a permalink of schema 1 has in it: two file systems, one of them in two runs, two record sizes."""
    found: dict[str, Any] = json.loads(STORED.read_text())
    return found


def test_an_old_content_has_all_keys_of_a_new_one(owner: User, old: dict[str, Any]) -> None:
    new, _ = evaluate(Selection.parse(ids(compared_runs(owner))), owner)

    found = upgraded(old)

    assert found["schema"] == SCHEMA
    assert set(new) - set(found) == {"benchdb_version"}
    for part in ("heads", "groups"):
        assert set(found[part][0]) == set(new[part][0])
    assert set(found["groups"][0]["rows"][0]) == set(new["groups"][0]["rows"][0])


def test_an_old_content_is_shown(old: dict[str, Any]) -> None:
    shown = pages.frozen_table(upgraded(old))

    first = shown["table"]["groups"][0]
    assert (first["label"], first["rows"][0]["note"]) == ("64 KiB records", "baseline")
    assert shown["table"]["columns"][0]["unit"] == "MiB/s"
    assert shown["legend"]["factor"] == "file system"


def test_an_old_content_keeps_its_figures(old: dict[str, Any]) -> None:
    before = json.dumps(old)

    placed = list(cells(upgraded(old)))

    means = [cell["mean"] for group in old["groups"] for row in group["rows"] for cell in row["cells"]]
    assert [each.cell["mean"] for each in placed] == means
    assert (placed[0].split, placed[0].row, placed[0].column, placed[0].key) == ("64 KiB", "ext4", "Write", "0-0-0")
    assert (placed[0].measure.metric, placed[0].measure.shown.name) == ("throughput", "MiB/s")
    assert placed[0].cell["baseline"]
    assert len(placed[2].cell["run_means"]) == 2
    assert json.dumps(old) == before


def test_what_is_no_old_table_stays_as_it_is(old: dict[str, Any]) -> None:
    for content in (upgraded(old), {"schema": "benchdb.surface/1"}):
        assert upgraded(content) is content


@pytest.mark.parametrize("axes", ["columns=test,metric", "rows=file_system,metric", "split=metric", "rows=metric"])
def test_every_cell_has_its_own_measure(owner: User, axes: str) -> None:
    sizes = {"file_size": GIB, "record_size": MIB}
    run = store_run(
        owner,
        results=[
            result(values(1e8, 3), **sizes),
            result(values(0.1, 3), "write", "cpu_of_one_core", "ratio", **sizes),
        ],
    )

    placed = list(cells(evaluate(Selection.parse(f"run={run.id}&{axes}"), owner)[0]))

    assert [(each.measure.metric, each.measure.unit, each.measure.higher_is_better) for each in placed] == [
        ("throughput", "MiB/s", True),
        ("cpu_of_one_core", "%", False),
    ]
    assert [each.cell["metric"] for each in placed] == ["throughput", "cpu_of_one_core"]
