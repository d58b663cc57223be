"""The sources of all results are checked together, with the same result as one by one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchdb.ingest.contract import FaultyDocument, validate
from benchdb.ingest.contract.result_sources import take_places
from benchdb.ingest.contract.validate import _carefully, _quickly
from benchdb.runs.store.value_places import Places
from tests.support.documents import artifact, document, encoded, iozone_document, result

VALUES = [1.0, 2.0, 3.0]


def sent(*sources: Any) -> dict[str, Any]:
    """A document of three rounds with a result for each of these sources."""
    results = [result(VALUES, "write", source=source, record_size=4096 << i) for i, source in enumerate(sources)]
    return document(rounds=3, results=results, artifacts=[artifact("iozone.txt", "x"), artifact("b.txt", "y")])


def columns(artifacts: Any, lines: Any) -> dict[str, Any]:
    return {"artifacts": artifacts, "lines": lines}


NAMES, LINES = ["iozone.txt", "iozone.txt", "b.txt"], [1, 1, 2]
PLAIN = columns(NAMES, LINES)
MISSING = columns(["iozone.txt", None, "b.txt"], [1, None, 2])
TAKEN = Places(tuple(NAMES), LINES)


@pytest.mark.parametrize(
    ("sources", "taken"),
    [
        ([PLAIN], [TAKEN]),
        ([PLAIN, None, PLAIN], [TAKEN, None, TAKEN]),
        ([MISSING, PLAIN], [Places(("iozone.txt", None, "b.txt"), [1, None, 2]), TAKEN]),
        ([columns([None] * 3, [None] * 3)], [Places((None,) * 3, [None] * 3)]),
    ],
)
def test_places_as_they_should_be_are_taken_out(sources: list[Any], taken: list[Places | None]) -> None:
    raw = sent(*sources)

    assert take_places(raw) == taken
    assert not any("source" in entry for entry in raw["results"])
    body = encoded(sent(*sources))
    checked = validate(body)
    assert checked == _carefully(body, None)
    assert [entry.source for entry in checked[0].results] == taken


def test_a_run_of_a_tool_loses_none() -> None:
    raw = iozone_document()
    sources = [entry["source"] for entry in raw["results"]]

    taken = take_places(raw)

    assert taken is not None
    assert [source and source.as_sent() for source in taken] == sources


def test_no_place_at_all_says_as_much_as_no_source() -> None:
    summed = result(None, "read", summary={"mean": 1.0}, source=columns([], []))

    checked, _ = validate(encoded(document(results=[summed])))

    assert checked.results[0].source is None


@pytest.mark.parametrize(
    "source",
    [
        {},
        "abc",
        5,
        [],
        [{"artifact": "iozone.txt", "line": 1}] * 3,
        {"artifacts": NAMES},
        {"lines": LINES},
        {**PLAIN, "page": 2},
        columns(NAMES[:2], LINES),
        columns(NAMES, LINES[:2]),
        columns(NAMES[:2], LINES[:2]),
        columns([*NAMES, "b.txt"], [*LINES, 1]),
        columns([*NAMES[:2], None], LINES),
        columns(NAMES, [1, 1, None]),
        columns([None, *NAMES[1:]], [1, None, 2]),
        columns([*NAMES[:2], "elsewhere.txt"], LINES),
        columns([*NAMES[:2], ["b.txt"]], LINES),
        columns([*NAMES[:2], 5], LINES),
        columns("abc", LINES),
        columns(dict.fromkeys(NAMES), LINES),
        columns(NAMES, "112"),
        columns(None, LINES),
        columns(NAMES, None),
        *(columns(NAMES, [1, 1, line]) for line in (0, -1, 1.0, True, "1", [1], 2**63)),
    ],
)
def test_what_may_be_wrong_is_left_to_who_lists_faults(source: Any) -> None:
    raw = sent(PLAIN, source)

    assert take_places(raw) is None
    assert all("source" in entry for entry in raw["results"])
    with pytest.raises(FaultyDocument) as refused:
        validate(encoded(sent(PLAIN, source)))
    assert {fault.pointer.split("/source")[0] for fault in refused.value.faults} == {"/results/1"}


def test_names_of_one_letter_are_not_letters_of_a_text() -> None:
    raw = document(
        rounds=2,
        results=[result([1.0, 2.0], source=columns("ab", [1, 1]))],
        artifacts=[artifact("a", "x"), artifact("b", "y")],
    )

    assert take_places(raw) is None


ANY = st.none() | st.booleans() | st.integers() | st.sampled_from(["", "a", "1", 1.0, 2**63, [], {}, ["a"]])
NAME, LINE = st.sampled_from(["iozone.txt", "b.txt", None]) | ANY, st.sampled_from([1, 2, None]) | ANY
COLUMNS = st.fixed_dictionaries(
    {"artifacts": st.lists(NAME, max_size=4) | ANY, "lines": st.lists(LINE, max_size=4) | ANY}
)
GOOD = st.sets(st.sampled_from([0, 1, 2])).map(
    lambda there: columns(*([each if i in there else None for i, each in enumerate(own)] for own in (NAMES, LINES)))
)
SOURCES = st.lists(GOOD | COLUMNS | ANY, min_size=1, max_size=2)


@settings(max_examples=400, deadline=None)
@given(SOURCES, st.booleans())
def test_both_ways_take_and_refuse_the_same(sources: list[Any], failed: bool) -> None:
    raw = sent(*sources)
    if failed:
        raw["results"][0] |= {"values": [None] * 3, "status": "failed", "error": "No space left on device"}
    body = encoded(raw)
    try:
        carefully = _carefully(body, None)
    except FaultyDocument:
        carefully = None

    assert _quickly(body, None) == carefully


@pytest.mark.parametrize(
    "raw", [{}, {"results": None}, {"results": [5]}, {"results": [], "rounds": 1, "artifacts": []}]
)
def test_what_is_no_document_has_none(raw: dict[str, Any]) -> None:
    assert take_places(raw) is None
