"""CSV in its three shapes, read back by Python's reader."""

import csv
import re
from collections.abc import Iterable
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchdb.compare.content import Content
from benchdb.compare.guard.levels import unit_of_level
from benchdb.compare.response.evaluate import evaluate_response
from benchdb.compare.response.selection import ResponseSelection
from benchdb.exports.formats import csv as csv_format
from benchdb.exports.origin import Origin
from benchdb.exports.text.lines import CELLS, LONG, SHAPES
from benchdb.stats import STATISTICS_VERSION
from benchdb.wording.formulas import FORMULA, defused
from tests.support.comparing.comparisons import SPREAD, compared_runs, ids, surface_run
from tests.support.comparing.exported import ADDRESS, HOSTILE, a_table, a_table_with_failures, saying, two_surfaces
from tests.support.comparing.responses import LEVELS, response_runs
from tests.support.documents import KIB, MIB
from tests.texts import missing_in

Rows = list[dict[str, str]]


def read(pieces: Iterable[str]) -> Rows:
    return list(csv.DictReader(StringIO("".join(pieces), newline=""), strict=True))


def exported(content: Content, shape: str) -> Rows:
    return read(csv_format.export(content, Origin(ADDRESS, frozen=True, shape=shape)))


def test_a_line_a_cell_has_every_figure_in_base_units(owner: User) -> None:
    rows = exported(a_table(owner), "cells")

    assert list(rows[0]) == CELLS
    assert [(row["row"], row["column"]) for row in rows[:3]] == [("ext4", "Write"), ("ext4", "Read"), ("xfs", "Write")]
    xfs = rows[2]
    assert float(xfs["mean"]) == pytest.approx(120 * MIB)
    assert (xfs["unit"], xfs["n"], xfs["verdict"], xfs["best"]) == ("B/s", "6", "better", "yes")
    assert float(xfs["ratio"]) == pytest.approx(1.2)
    assert float(xfs["p_adjusted"]) < 0.05
    assert xfs["warnings"] == "within_one_run"
    assert (xfs["test"], xfs["record_size"]) == ("write", str(64 * KIB))
    assert (xfs["address"], xfs["frozen"], xfs["statistics_version"]) == (ADDRESS, "yes", str(STATISTICS_VERSION))
    assert (xfs["correction"], xfs["margin"]) == ("benjamini_hochberg", "0.05")


def test_levels_of_response_curves_are_numbers_with_a_unit(owner: User) -> None:
    content = evaluate_response(ResponseSelection.parse(ids(response_runs(owner, {"ext4": 8}))), owner)[0]
    for shape in ("cells", "long", "wide"):
        rows = exported(content, shape)
        assert {(row["over"], row["over_unit"], row["together"]) for row in rows} == {("threads", "", "")}
        assert sorted({float(row["over_level"]) for row in rows}) == [*LEVELS]
    assert [unit_of_level(name) for name in ("param:rate", "parameter:bytes_per_second", "record_size", "fill")] == [
        "op/s",
        "B/s",
        "B",
        "%",
    ]


def test_a_line_a_value(owner: User) -> None:
    rows = exported(a_table(owner), "long")

    assert list(rows[0]) == LONG
    assert len(rows) == 2 * 3 * 2 * len(SPREAD)
    assert [float(row["value"]) for row in rows[:6]] == [100 * MIB * share for share in SPREAD]
    assert [row["round"] for row in rows[:6]] == ["1", "2", "3", "4", "5", "6"]
    assert {row["run"] for row in rows[:6]} == {rows[0]["run"]}


def test_where_runs_meet_a_line_is_a_runs_mean(client: Client, owner: User) -> None:
    runs = compared_runs(owner, {"ext4": 1e8}) + compared_runs(owner, {"ext4": 1.1e8})

    rows = read(client.get(f"/compare/table.csv?{ids(runs)}&shape=long").content.decode())

    assert [(row["run"], row["round"]) for row in rows[:2]] == [(str(run.id), "") for run in runs]
    assert float(rows[1]["value"]) == pytest.approx(1.1e8)


def test_a_line_a_row_has_the_units_of_the_page(owner: User) -> None:
    rows = exported(a_table(owner), "wide")

    assert [(row["split"], row["row"]) for row in rows[:4]] == [
        ("64 KiB", "ext4"), ("64 KiB", "xfs"), ("64 KiB", "btrfs"), ("1 MiB", "ext4"),
    ]  # fmt: skip
    xfs = rows[1]
    assert float(xfs["Write mean (MiB/s)"]) == pytest.approx(120)
    assert (xfs["Write n"], xfs["Write verdict"], xfs["Write marks"]) == ("6", "better", "best")
    assert float(xfs["Read ratio"]) == pytest.approx(1.2)


@pytest.mark.parametrize("shape", SHAPES)
def test_an_endless_address_is_whole_once(owner: User, shape: str) -> None:
    """The address of 200 runs in each of 25,000 lines would make a file of 200 MiB."""
    address = f"{ADDRESS}?{'run=1&' * 1500}"

    rows = read(csv_format.export(a_table(owner), Origin(address, frozen=False, shape=shape)))

    assert rows[0]["address"] == address
    assert {row["address"] for row in rows[1:]} == {f"{address[:500]}… as in the first line"}


def test_failed_cells_and_marks_in_a_wide_line(owner: User) -> None:
    rows = exported(a_table_with_failures(owner), "wide")

    marks = " ".join(value for row in rows for name, value in row.items() if name.endswith("marks"))
    assert not missing_in(marks, "failed: No space left on device", "unmeasurable", "RAM")


def test_a_surface(client: Client, owner: User) -> None:
    rows = read(client.get(f"/surface/surface.csv?run={surface_run(owner).id}").content.decode())

    assert len(rows) == 8  # without the cell that was not measured
    assert (rows[3]["row"], rows[3]["column"]) == ("256 KiB", "64 KiB")
    assert (rows[3]["status"], rows[3]["mean"], rows[3]["error"]) == ("failed", "", "Input/output error")


def test_two_surfaces_one_under_another(owner: User) -> None:
    rows = exported(two_surfaces(owner), "wide")

    assert [row["row"] for row in rows] == ["64 KiB", "256 KiB", "1 MiB"] * 2
    assert len({row["split"] for row in rows}) == 2


@pytest.mark.parametrize("words", HOSTILE)
@pytest.mark.parametrize("shape", SHAPES)
def test_words_come_back_and_are_no_formula(owner: User, words: str, shape: str) -> None:
    rows = exported(saying(a_table(owner), words), shape)

    assert rows[0]["row"] == defused(words)
    for row in rows:
        assert not any(value.startswith(FORMULA) for value in [*row, *row.values()])


@pytest.mark.parametrize("words", ["a;=1+1;b", "a;  @SUM(1)", 'a,"\n=1+1', "a\t-1", "a;＝1", 'a;"=1+1;b', 'a\t "=1'])
def test_a_spreadsheet_that_parts_lines_at_semicolons_finds_no_formula_either(owner: User, words: str) -> None:
    text = "".join(csv_format.export(saying(a_table(owner), words), Origin(ADDRESS, frozen=True)))

    assert not [part for part in re.split(r"[;\t\r\n]", text) if part.lstrip(' "').startswith(FORMULA)]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(error=st.text(st.characters(codec="utf-8"), min_size=1))
def test_any_words_come_back(content: Content, error: str) -> None:
    rows = exported(saying(content, error), "cells")

    assert (rows[-1]["error"], rows[0]["row"]) == (defused(error), defused(error))


@pytest.fixture
def content(owner: User) -> Content:
    return a_table(owner)
