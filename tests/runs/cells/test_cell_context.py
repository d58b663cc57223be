"""Cells as tables show them."""

from dataclasses import replace

import pytest

from benchdb.runs.cells.cell_context import CellTag, ShownCell, ShownVerdict, first_words, headline, show_cell, tags
from benchdb.runs.cells.clock_and_cache import CellCache, CellClock
from benchdb.runs.cells.verdict import CellWarning
from benchdb.wording.units import UNITS
from tests.support.comparing.cells import a_cell, a_verdict, text

MIB_S = UNITS["MiB/s"]


def test_what_was_not_measured_is_missing() -> None:
    assert show_cell(None) == ShownCell("missing")


def test_a_number_that_is_not_computed_yet_has_no_text() -> None:
    shown = show_cell(a_cell(status="computing", mean=None, sd=None, n=None, text=text("", "")))
    assert (shown.status, shown.mean) == ("ok", "")


def test_a_mark_says_why_it_is_there_before_the_others() -> None:
    shown = show_cell(a_cell(cache=CellCache("cached", None, {}, "It fits.")), mark="Frozen as 3.")
    assert shown.tags[0] == CellTag("changed", "Frozen as 3.", warning=True)
    assert [tag.text for tag in shown.tags] == ["changed", "RAM"]


@pytest.mark.parametrize(
    ("kind", "ratio", "words"),
    [
        ("better", 1.082, "8.2 % faster"),
        ("worse", 0.05, "20× slower"),
        ("equivalent", 1.001, ""),
        ("inconclusive", 1.09, ""),
        ("none", None, ""),
    ],
)
def test_only_a_difference_that_was_found_is_shown_as_a_number(kind: str, ratio: float | None, words: str) -> None:
    step = 4 if kind == "worse" else int(kind == "better")
    shown = show_cell(a_cell(verdict=a_verdict(kind, ratio=ratio))).verdict
    assert shown == ShownVerdict(kind, words, "because", step)


def test_marks_say_why() -> None:
    marked = a_cell(
        cache=CellCache("cached", None, {}, "It fits."),
        clock=CellClock("unusable", 9.0, "Nine ticks."),
        warnings=[CellWarning("drift", {}, "It drifts."), CellWarning("one_value", {}, "One.")],
    )
    assert [(tag.text, tag.warning) for tag in tags(marked)] == [("RAM", False), ("CLK", True), ("!", True)]
    partly = replace(
        marked, cache=CellCache("mixed", None, {}, "Half."), clock=CellClock("fine", None, ""), warnings=[]
    )
    assert [(tag.text, tag.why) for tag in tags(partly)] == [("part RAM", "Measured memory in part. Half.")]
    assert [tag.why for tag in tags(marked)] == [
        "Measured memory, not the device. It fits.",
        "Nine ticks.",
        "It drifts.",
    ]


@pytest.mark.parametrize(("cache", "clock"), [("device", "fine"), ("unknown", "unknown")])
def test_a_good_cell_has_no_marks(cache: str, clock: str) -> None:
    assert tags(a_cell(cache=CellCache(cache, None, {}, ""), clock=CellClock(clock, None, ""))) == []


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
    ("changes", "words"),
    [
        ({}, "1.00000 ± 0.00098 MiB/s"),
        ({"n": 1, "sd": None, "text": text("1.000", "")}, "1.000 MiB/s"),
        ({"mean": None, "status": "failed", "error": "killed"}, "killed"),
        ({"mean": None, "status": "unmeasurable"}, "too fast to measure"),
        ({"mean": None, "status": "computing"}, "still being computed"),
    ],
)
def test_the_headline_of_a_panel(changes: dict[str, object], words: str) -> None:
    assert headline(a_cell(**changes), MIB_S) == words
