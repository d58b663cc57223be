"""Tables and surfaces as data: `.json` and `.csv` beside every page."""

from __future__ import annotations

import csv
import json
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.exports import csv as csv_format
from benchdb.exports.formats import FORMATS
from tests.support.comparisons import SPREAD, compared_runs, ids, surface_run, unknown_id
from tests.support.documents import MIB, result
from tests.support.html import read
from tests.support.store import store_run


def csv_of(client: Client, address: str) -> list[dict[str, str]]:
    answer = client.get(address)
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(StringIO(answer.content.decode(), newline="")))


def test_every_page_links_to_its_data(client: Client, owner: User) -> None:
    for address in (f"/compare/?{ids(compared_runs(owner))}", f"/surface/?run={surface_run(owner).id}"):
        page = read(client.get(address))
        for name in FORMATS:
            assert client.get(page.links[name.upper()]).status_code == 200


def test_json_is_the_table_itself(client: Client, owner: User) -> None:
    runs = compared_runs(owner)

    answer = client.get(f"/compare/table.json?{ids(runs)}")

    assert answer["Content-Type"] == "application/json; charset=utf-8"
    table = answer.json()
    assert table["schema"] == "benchdb.table/1"
    cell = table["groups"][0]["rows"][1]["cells"][0]
    assert cell["mean"] == pytest.approx(120 * MIB)
    assert cell["verdict"]["kind"] == "better"
    assert cell["values"] == [120 * MIB * share for share in SPREAD]


def test_csv_has_every_figure_in_base_units(client: Client, owner: User) -> None:
    rows = csv_of(client, f"/compare/table.csv?{ids(compared_runs(owner))}")

    assert list(rows[0]) == csv_format.COLUMNS
    assert [(row["row"], row["column"]) for row in rows[:3]] == [("ext4", "Write"), ("ext4", "Read"), ("xfs", "Write")]
    xfs = rows[2]
    assert float(xfs["mean"]) == pytest.approx(120 * MIB)
    assert (xfs["unit"], xfs["n"], xfs["verdict"], xfs["best"]) == ("B/s", "6", "better", "yes")
    assert float(xfs["ratio"]) == pytest.approx(1.2)
    assert float(xfs["p_adjusted"]) < 0.05
    assert xfs["warnings"] == "within_one_run"


def test_a_surface_as_csv(client: Client, owner: User) -> None:
    rows = csv_of(client, f"/surface/surface.csv?run={surface_run(owner).id}")

    assert len(rows) == 8  # the one that was never measured is left out
    assert (rows[3]["row"], rows[3]["column"]) == ("256 KiB", "64 KiB")
    assert (rows[3]["status"], rows[3]["mean"], rows[3]["error"]) == ("failed", "", "Input/output error")


@pytest.mark.parametrize("error", ["=HYPERLINK(1)", "+1", "-1", "@x", "\tx"])
def test_words_of_a_tool_are_no_formula(client: Client, owner: User, error: str) -> None:
    failed = result([None] * 3, status="failed", error=error)
    run = store_run(owner, results=[failed, result([1e8] * 3, "read")])

    (row, _) = csv_of(client, f"/compare/table.csv?run={run.id}")

    assert row["error"] == f"'{error}"


def test_text_with_commas_quotes_and_lines_comes_back(client: Client, owner: User) -> None:
    error = 'round 1: "a",b\nround 2: ü'
    run = store_run(owner, results=[result([None] * 3, status="failed", error=error), result([1.0] * 3, "read")])

    assert csv_of(client, f"/compare/table.csv?run={run.id}")[0]["error"] == error


@pytest.mark.parametrize("path", ["/compare/table", "/surface/surface"])
def test_an_unknown_format_is_404(client: Client, owner: User, path: str) -> None:
    assert client.get(f"{path}.xml?run={surface_run(owner).id}").status_code == 404


@pytest.mark.parametrize(
    ("address", "status", "fault"),
    [
        ("/compare/table.json?rows=test", 400, "must be three different dimensions"),
        ("/compare/table.csv?run={unknown}", 404, "There is no run"),
        ("/surface/surface.json", 400, "Name a run"),
        ("/surface/surface.csv?run={unknown}", 404, "There is no run"),
    ],
)
def test_what_cannot_be_is_said_as_plain_text(client: Client, db: None, address: str, status: int, fault: str) -> None:
    answer = client.get(address.format(unknown=unknown_id()))

    assert answer.status_code == status
    assert answer["Content-Type"].startswith("text/plain")
    assert fault in answer.content.decode()


def test_json_has_no_number_that_json_does_not_know() -> None:
    content: dict[str, Any] = {"mean": float("nan")}
    with pytest.raises(ValueError, match="JSON compliant"):
        FORMATS["json"].export(content)
    assert json.loads(FORMATS["json"].export({"mean": 1.5})) == {"mean": 1.5}
