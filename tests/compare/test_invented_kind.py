"""A kind of comparison invented here: its rows in the two registries are enough for all other parts."""

import csv
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from urllib.parse import urlencode
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.http import QueryDict
from django.test import Client, override_settings
from django.urls import include, path

from benchdb import __version__
from benchdb.compare.content import Content, Measure, Placed
from benchdb.compare.kind import ComparisonKind, MadePage, PageOptions
from benchdb.compare.kinds import KINDS
from benchdb.compare.page_parts.actions import live_parts
from benchdb.compare.page_parts.titles import page_of
from benchdb.compare.permalinks.services import share
from benchdb.compare.query.parameters import SelectionReader
from benchdb.compare.query.runs import machine_names, run_line, selected_runs
from benchdb.compare.query.selection import Selection
from benchdb.compare.query.visible import readable, visible_runs
from benchdb.compare.tasks import redact_deleted
from benchdb.exports.printed.document import PrintedGrid
from benchdb.exports.printed.kind import ExportedKind
from benchdb.exports.printed.kinds import EXPORTED_KINDS
from benchdb.http.requests import Reader
from benchdb.runs.cells.cell import Cell, cells_of
from benchdb.runs.cells.cell_context import show_cell
from benchdb.runs.cells.measured_table import MeasuredRow, MeasuredTable, RowGroup, TableColumn
from benchdb.runs.models import Run
from benchdb.runs.queries import measured
from benchdb.runs.services import delete_run
from benchdb.stats import STATISTICS_VERSION
from benchdb.web.urls import comparison_urls
from benchdb.wording.units import UNITS
from tests.support.comparing.comparisons import compared_runs, ids
from tests.support.html import read


@dataclass(frozen=True, slots=True, kw_only=True)
class PodiumContent(Content):
    """The first result of each run."""

    cells: list[Cell]


def _evaluate_runs(runs: Sequence[UUID], reader: Reader) -> PodiumContent:
    """Each run with its first result."""
    chosen = selected_runs(Selection(runs=tuple(runs)), reader)
    first = {result.run_id: result for result in reversed(measured(run.id for run in chosen))}
    cells = cells_of([first[run.id] for run in chosen], UNITS["MiB/s"], {run.id: run for run in chosen})
    return PodiumContent(
        schema="benchdb.podium/1",
        title="Podium",
        subtitle="the first result of each run",
        query=urlencode([("run", run.id) for run in chosen]),
        notes=[],
        cells=cells,
        runs=[str(run.id) for run in chosen],
        run_list=[run_line(run, run.target.file_system or "unknown", None, machine_names([run])) for run in chosen],
        computing=[],
        statistics_version=STATISTICS_VERSION,
        benchdb_version=__version__,
    )


def _evaluate(query: QueryDict, reader: Reader) -> PodiumContent:
    return _evaluate_runs(SelectionReader(query).uuids("run"), reader)


def _evaluate_visible(query: str, runs: Sequence[UUID], reader: Reader) -> tuple[PodiumContent, int]:
    visible = visible_runs(runs, reader)
    return _evaluate_runs(visible, reader), len(runs) - len(visible)


def _cells(content: PodiumContent) -> Iterator[Placed]:
    measure = Measure("throughput", "MiB/s", "B/s", 1024 * 1024, True)
    for i, (run, cell) in enumerate(zip(content.run_list, content.cells, strict=True)):
        yield Placed(f"0-{i}-0", "", run.label, "first result", cell, measure)


def _without_runs(content: PodiumContent, deleted: Collection[str]) -> PodiumContent | None:
    left = [cell for cell, run in zip(content.cells, content.runs, strict=True) if run not in deleted]
    return replace(content, cells=left) if left else None


def _podium_page(content: PodiumContent, options: PageOptions) -> dict[str, object]:
    rows = [MeasuredRow(placed.row, None, [show_cell(placed.cell)]) for placed in _cells(content)]
    return page_of(
        content,
        table=MeasuredTable(
            id="podium",
            label=content.title,
            row_head="Run",
            columns=[TableColumn("first result", "MiB/s", "↑")],
            groups=[RowGroup(None, "", rows)],
            details={},
        ),
    )


def _live(query: QueryDict, reader: Reader) -> MadePage:
    content = _evaluate(query, reader)
    parts = (
        _podium_page(content, PageOptions()),
        live_parts(
            content,
            {
                "action": "/podiums/",
                "label": "podium",
                "hidden": [],
                "fields": (),
                "only_selects": True,
            },
        ),
    )
    return MadePage("compare/live.html", parts, content)


def _grids(content: PodiumContent) -> list[PrintedGrid]:
    return []


PODIUM = ComparisonKind(
    name="podium",
    content=PodiumContent,
    path="podiums",
    live=_live,
    settled=lambda query: "",
    reads=lambda query, reader: readable(SelectionReader(query).uuids("run"), (), reader),
    evaluate=_evaluate,
    evaluate_visible=_evaluate_visible,
    cells=_cells,
    without_runs=_without_runs,
    page=_podium_page,
    body="web/partials/table.html",
    embedded="web/partials/table.html",
)
EXPORTED_PODIUM = ExportedKind(
    grids=_grids, notes=lambda content: [], columns=lambda content: ["first result"], draw="no picture"
)
urlpatterns = [path("", include("benchdb.urls")), *comparison_urls(PODIUM)]
LABELS = ["ext4", "xfs", "btrfs"]


@pytest.fixture(autouse=True)
def podium(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(KINDS, PODIUM.name, PODIUM)
    monkeypatch.setitem(EXPORTED_KINDS, PODIUM.name, EXPORTED_PODIUM)
    with override_settings(ROOT_URLCONF=__name__):
        yield


@pytest.fixture
def runs(owner: User) -> list[Run]:
    return compared_runs(owner)


def labels(client: Client, address: str) -> list[str]:
    return [row[0].text for row in read(client.get(address)).tables["podium"][1:]]


def test_it_has_a_page_and_files_of_what_is_there_now(client: Client, runs: list[Run]) -> None:
    assert "Podium" in read(client.get(f"/podiums/?{ids(runs)}")).text

    content = client.get(f"/podiums/podium.json?{ids(runs)}").json()
    lines = list(csv.DictReader(StringIO(client.get(f"/podiums/podium.csv?{ids(runs)}").content.decode())))

    assert (content["schema"], content["address"]) == ("benchdb.podium/1", f"http://testserver/podiums/?{ids(runs)}")
    assert [line["row"] for line in lines] == LABELS
    assert [float(line["mean"]) for line in lines] == [cell["mean"] for cell in content["cells"]]


def test_what_is_shared_has_a_page_a_frame_and_files(ada: Client, runs: list[Run]) -> None:
    address = ada.post("/share/", {"kind": "podium", "query": ids(runs)})["Location"]

    assert labels(ada, address) == LABELS
    assert labels(ada, f"{address}embed") == LABELS
    assert ada.get(f"{address.rstrip('/')}.json").json()["frozen"] is True
    assert len(ada.get(f"{address.rstrip('/')}.csv").content.splitlines()) == 1 + len(runs)
    assert read(ada.get("/permalinks/")).tables["permalinks"][1][3].text == "podium"


@pytest.mark.parametrize("stored", [False, True], ids=["at once", "in what is stored, too"])
def test_a_deleted_run_leaves_it(client: Client, owner: User, runs: list[Run], stored: bool) -> None:
    link, _ = share(owner, "podium", ids(runs))

    deleted = str(runs[1].id)
    delete_run(runs[1])
    if stored:
        redact_deleted()

    assert labels(client, link.get_absolute_url()) == ["ext4", "btrfs"]
    assert "1 run of this podium was deleted since." in read(client.get(link.get_absolute_url())).text
    assert deleted not in client.get(f"/c/{link.id}.json").content.decode()


def test_without_any_run_it_is_gone(client: Client, owner: User, runs: list[Run]) -> None:
    link, _ = share(owner, "podium", ids(runs[:1]))

    delete_run(runs[0])

    assert client.get(link.get_absolute_url()).status_code == 410


def test_today_it_is_evaluated_with_the_runs_that_are_left(client: Client, owner: User, runs: list[Run]) -> None:
    link, _ = share(owner, "podium", ids(runs))
    assert "Every figure is the same." in read(client.get(f"/c/{link.id}/today")).text

    delete_run(runs[0])
    page = read(client.get(f"/c/{link.id}/today"))

    assert "Leaves out 1 run that you may not see or that was deleted." in page.text
    assert [row[0].text for row in page.tables["podium"][1:]] == ["xfs", "btrfs"]
