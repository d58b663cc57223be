"""The places of a whole document are looked at together, with the same end as one by one."""

from __future__ import annotations

from typing import Any

import pytest

from benchdb.ingest.contract import FaultyDocument, validate
from benchdb.ingest.contract.places import take_places
from benchdb.ingest.contract.validate import _carefully
from benchdb.runs.sources import Places
from tests.support.documents import artifact, document, encoded, iozone_document, result

VALUES = [1.0, 2.0, 3.0]


def place(line: Any, name: Any = "iozone.txt") -> dict[str, Any]:
    return {"artifact": name, "line": line}


def sent(*sources: Any) -> dict[str, Any]:
    """A document of three rounds with a result for each of these sources."""
    results = [result(VALUES, "write", source=source, record_size=4096 << i) for i, source in enumerate(sources)]
    return document(rounds=3, results=results, artifacts=[artifact("iozone.txt", "x"), artifact("b.txt", "y")])


PLAIN = [place(1), place(1), place(2, "b.txt")]


@pytest.mark.parametrize(
    "sources", [[PLAIN], [PLAIN, None, [], PLAIN], [[place(1), None, place(2)], PLAIN], [[None] * 3]]
)
def test_places_as_they_should_be_are_taken_out(sources: list[Any]) -> None:
    raw = sent(*sources)

    assert take_places(raw) == [Places.of(source) if source else None for source in sources]
    assert not any("source" in each for each in raw["results"])
    body = encoded(sent(*sources))
    checked = validate(body)
    assert checked == _carefully(body, None)
    assert [each.source for each in checked[0].results] == [Places.of(source) if source else None for source in sources]


def test_a_run_of_a_tool_loses_none() -> None:
    raw = iozone_document()
    sources = [each["source"] for each in raw["results"]]

    assert take_places(raw) == [Places.of(source) for source in sources]


@pytest.mark.parametrize(
    "source",
    [
        PLAIN[:2],
        [*PLAIN, place(1)],
        {},
        "abc",
        5,
        [place(1), place(1), place(1, "elsewhere.txt")],
        [place(1), place(1), place(1, ["iozone.txt"])],
        [place(1), place(1), place(1, None)],
        [place(1), place(1), {"artifact": "iozone.txt"}],
        [place(1), place(1), {**place(1), "page": 2}],
        [place(1), place(1), "iozone.txt"],
        *([place(1), place(1), place(line)] for line in (0, -1, 1.0, True, "1", None, 2**63)),
    ],
)
def test_what_may_be_wrong_is_left_to_who_lists_faults(source: Any) -> None:
    raw = sent(PLAIN, source)

    assert take_places(raw) is None
    assert all("source" in each for each in raw["results"])
    with pytest.raises(FaultyDocument) as refused:
        validate(encoded(sent(PLAIN, source)))
    assert {fault.pointer.split("/source")[0] for fault in refused.value.faults} == {"/results/1"}


@pytest.mark.parametrize(
    "raw", [{}, {"results": None}, {"results": [5]}, {"results": [], "rounds": 1, "artifacts": []}]
)
def test_what_is_no_document_has_none(raw: dict[str, Any]) -> None:
    assert take_places(raw) is None
