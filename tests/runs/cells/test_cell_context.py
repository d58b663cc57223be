"""Cells of plain data as pages show them."""

from __future__ import annotations

from typing import Any

import pytest

from benchdb.runs.cells.cell_context import cell_facts, exact, first_words, headline, show_cell, show_panel, tags
from benchdb.wording.units import UNITS

MIB_S = UNITS["MiB/s"]


def cell(**changes: Any) -> dict[str, Any]:
    """A cell of three rounds."""
    return {
        "status": "ok",
        "error": None,
        "n": 3,
        "mean": 2.0**20,
        "sd": 2.0**10,
        "median": 2.0**20,
        "low": 2.0**19,
        "high": 2.0**21,
        "median_low": None,
        "median_high": None,
        "text": {"mean": "1.00000", "sd": "0.00098"},
        "values": [2.0**20] * 3,
        "outliers": [],
        "warnings": [],
        "runs": ["01a1face-1892-7000-8000-00003ded1f24"],
        "ordinals": [4],
        "places": [],
        "clock": {"verdict": "fine", "ticks": 1e6, "text": "Fine."},
        "cache": {"verdict": "device", "reason": "direct", "numbers": {}, "text": "Bypassed."},
        **changes,
    }


def verdict(kind: str, change: str) -> dict[str, Any]:
    return {"kind": kind, "change": change, "why": "because", "warnings": []}


def test_what_was_not_measured_is_missing() -> None:
    assert show_cell(None) == {"status": "missing"}


def test_a_number_that_is_not_computed_yet_has_no_text() -> None:
    shown = show_cell(cell(status="computing", mean=None, sd=None, n=None, text={"mean": "", "sd": ""}))
    assert (shown["status"], shown["mean"]) == ("ok", "")


@pytest.mark.parametrize(
    ("kind", "change", "text"),
    [
        ("better", "+8.2 %", "+8.2 %"),
        ("worse", "−3.1 %", "−3.1 %"),
        ("equivalent", "+0.1 %", ""),
        ("inconclusive", "+9 %", ""),
        ("none", "", ""),
    ],
)
def test_only_a_difference_that_was_found_is_shown_as_a_number(kind: str, change: str, text: str) -> None:
    shown = show_cell(cell(verdict=verdict(kind, change)))["verdict"]
    assert shown == {"kind": kind, "text": text, "why": "because"}


def test_marks_say_why() -> None:
    warning = {"code": "drift", "numbers": {}, "text": "It drifts."}
    marked = cell(
        cache={"verdict": "cached", "text": "It fits."},
        clock={"verdict": "unusable", "text": "Nine ticks."},
        warnings=[warning, {"code": "one_value", "numbers": {}, "text": "One."}],
    )
    assert [(tag["text"], tag["warning"]) for tag in tags(marked)] == [("RAM", False), ("CLK", True), ("!", True)]
    assert [tag["why"] for tag in tags(marked)] == [
        "Measured memory, not the device. It fits.",
        "Nine ticks.",
        "It drifts.",
    ]


@pytest.mark.parametrize(("cache", "clock"), [("device", "fine"), ("mixed", "unknown"), ("unknown", "fine")])
def test_a_good_cell_has_no_marks(cache: str, clock: str) -> None:
    assert tags(cell(cache={"verdict": cache, "text": ""}, clock={"verdict": clock, "text": ""})) == []


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("No space left on device", "No space left on device"),
        ("round 2: Input/output error\nround 3: killed", "Input/output error"),
        (None, "failed"),
        ("x" * 200, "x" * 69 + "…"),
    ],
)
def test_the_tools_words_fit_into_a_cell(error: str | None, words: str) -> None:
    assert first_words(error) == words


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({}, "1.00000 ± 0.00098 MiB/s"),
        ({"n": 1, "sd": None, "text": {"mean": "1.000", "sd": ""}}, "1.000 MiB/s"),
        ({"mean": None, "status": "failed", "error": "killed"}, "killed"),
        ({"mean": None, "status": "unmeasurable"}, "too fast to measure"),
        ({"mean": None, "status": "computing"}, "still being computed"),
    ],
)
def test_the_headline_of_a_panel(changes: dict[str, Any], text: str) -> None:
    assert headline(cell(**changes), MIB_S) == text


def test_a_panel_has_the_values_in_the_shown_unit() -> None:
    panel = show_panel(cell(values=[2.0**20, None, 2.0**21]), "write", MIB_S, "iozone -a")
    assert panel["values"] == [1.0, None, 2.0]
    assert panel["labels"] == ["1.00000", "no value", "2.00000"]
    assert panel["each"] == "round"
    assert panel["mean"] == 1.0
    assert panel["interval"] == [0.5, 2.0]
    assert panel["command"] == "iozone -a"


def test_facts_say_n_intervals_and_the_exact_number() -> None:
    facts = dict(cell_facts(cell(median_low=2.0**19, median_high=2.0**21), MIB_S))
    assert facts["n"] == "3 rounds"
    assert facts["95 % interval"] == "0.50000 to 2.00000 MiB/s"
    assert facts["median"] == "1.00000 (0.50000 to 2.00000) MiB/s"
    assert facts["exact"].replace("\u202f", "") == "1024 KiB/s = 1048576 B/s"
    assert facts["cache"] == "device: Bypassed."


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (282.252, "s", "282.252 s = 4 m 42.252 s"),
        (1630.0, "min", "1\u202f630 s = 27 m 10 s"),
        (59.9, "s", "59.9 s"),
        (2.0**20, "MiB/s", "1\u202f024 KiB/s = 1\u202f048\u202f576 B/s"),
        (389.2, "op/s", "389.2 op/s"),
    ],
)
def test_an_exact_figure_is_said_as_tools_print_it_too(value: float, unit: str, text: str) -> None:
    assert exact(value, UNITS[unit]) == text


def test_where_runs_meet_their_variances_are_apart() -> None:
    facts = dict(cell_facts(cell(runs=["a", "b", "c"], ordinals=[1, 2, 3], within_sd=2.0**11), MIB_S))
    assert facts["n"] == "3 runs"
    assert facts["inside runs"].startswith("sd 0.00195 MiB/s")


def test_links_lead_to_each_round_or_each_run() -> None:
    places = [{"artifact": "r1.txt", "line": 3}, None, {"artifact": "r3.txt", "line": 5}]
    of_rounds = show_panel(cell(places=places), "write", MIB_S)["links"]
    assert [link["text"] for link in of_rounds] == ["all figures", "round 1", "round 3"]
    assert of_rounds[2]["href"].endswith("/raw/r3.txt#L5")
    run = cell()["runs"][0]
    of_runs = show_panel(cell(runs=[run, run], ordinals=[1, 2]), "write", MIB_S)
    assert [link["href"] for link in of_runs["links"]] == [f"/runs/{run}/results/1/", f"/runs/{run}/results/2/"]
    assert of_runs["each"] == "run"


def test_a_failed_cell_says_its_error_and_nothing_of_caches() -> None:
    facts = cell_facts(cell(status="failed", mean=None, n=0, error="round 1: killed\nround 2: killed"), MIB_S)
    assert facts == [("error", "round 1: killed\nround 2: killed")]
