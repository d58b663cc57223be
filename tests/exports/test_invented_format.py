"""A format that this module invents and registers, without a change of any other file."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.page_parts import export_menu
from benchdb.compare.permalinks.services import share
from benchdb.exports import tasks
from benchdb.exports.contents import Content, cells, kind_of, named
from benchdb.exports.formats import FORMATS
from benchdb.exports.origin import Origin
from benchdb.exports.registry import ExportFormat, register
from tests.support.comparing.comparisons import compared_runs, ids, surface_run
from tests.support.html import read


def export(content: Content, origin: Origin) -> str:
    """The names of all cells, below kind and address."""
    return "\n".join([kind_of(content).name, origin.address, *map(named, cells(content))])


FORMAT = ExportFormat(
    extension="names",
    media_type="text/x-names",
    label="Names",
    hint="the names of the cells",
    export=export,
)


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(export_menu, "ENTRIES", [*export_menu.ENTRIES])
    register(FORMAT)
    yield
    del FORMATS[FORMAT.extension]


def test_every_page_links_to_it_and_every_address_answers(client: Client, owner: User) -> None:
    runs = compared_runs(owner)
    link, _ = share(owner, "table", ids(runs))
    pages = {
        f"/compare/?{ids(runs)}": "table",
        f"/surface/?run={surface_run(owner).id}": "surface",
        f"/trend/?run={runs[0].id}": "trend",
        f"/c/{link.id}/": "table",
    }
    for address, kind in pages.items():
        page = read(client.get(address))
        assert ".names" in page.links["Names"]
        answer = client.get(page.links["Names"])
        assert (answer.status_code, answer["Content-Type"]) == (200, "text/x-names; charset=utf-8")
        assert answer["Content-Disposition"].endswith('.names"')
        assert answer.content.decode().splitlines()[0] == kind
    assert "the names of the cells" in page.text


def test_workers_make_it_if_it_says_so(client: Client, owner: User) -> None:
    FORMATS["names"] = replace(FORMAT, by_worker=True, binary=True)
    address = f"/c/{share(owner, 'table', ids(compared_runs(owner)))[0].id}.names"

    waiting = client.get(address)
    assert (waiting.status_code, "The Names file is being made" in waiting.content.decode()) == (202, True)
    tasks.make()
    answer = client.get(address)
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/x-names")
    assert answer.content.decode().startswith("table\n")


def test_it_has_no_shapes(client: Client, owner: User) -> None:
    answer = client.get(f"/compare/table.names?{ids(compared_runs(owner))}&shape=wide")

    assert (answer.status_code, answer.content.decode()) == (400, "shape is for csv, tsv, parquet; names has none.\n")
