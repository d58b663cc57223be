"""The places of values in raw output: one for each value, in an artifact of the document."""

from typing import Any

import pytest

from benchdb.ingest.contract import validate
from benchdb.runs.store.results import merged_results
from tests.support.documents import artifact, document, encoded, iozone_document, result
from tests.support.faults import faults_of

VALUES = [1.0, 2.0, 3.0]
NAMES, LINES = ["iozone.txt", "iozone.txt", "b.txt"], [1, 1, 2]


def sent(*sources: Any) -> dict[str, Any]:
    """A document of three rounds with a result for each of these sources."""
    results = [result(VALUES, "write", source=source, record_size=4096 << i) for i, source in enumerate(sources)]
    return document(rounds=3, results=results, artifacts=[artifact("iozone.txt", "x"), artifact("b.txt", "y")])


def source_of(artifacts: Any, lines: Any) -> dict[str, Any]:
    return {"artifacts": artifacts, "lines": lines}


PLAIN = source_of(NAMES, LINES)


@pytest.mark.parametrize(
    "sources",
    [
        [PLAIN],
        [PLAIN, None, PLAIN],
        [source_of(["iozone.txt", None, "b.txt"], [1, None, 2]), PLAIN],
        [source_of([None] * 3, [None] * 3)],
    ],
)
def test_sources_are_taken_as_they_are(sources: list[Any]) -> None:
    rows = merged_results(validate(encoded(sent(*sources))).results)

    assert [source_of(list(row.artifacts), list(row.lines)) if row.artifacts else None for row in rows] == sources


def test_results_of_the_same_artifacts_share_their_names() -> None:
    results = validate(encoded(sent(PLAIN, None, PLAIN))).results

    assert (results.source.tolist(), results.artifacts) == ([0, -1, 0], [NAMES])


def test_no_place_of_a_run_of_a_tool_is_lost() -> None:
    raw = iozone_document()

    rows = merged_results(validate(encoded(raw)).results)

    assert [source_of(list(row.artifacts), list(row.lines)) for row in rows] == [
        row["source"] for row in raw["results"]
    ]


def test_an_empty_source_is_no_source() -> None:
    summed = result(None, "read", summary={"mean": 1.0}, source=source_of([], []))

    assert validate(encoded(document(results=[summed]))).results.source.tolist() == [-1]


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
        source_of(NAMES[:2], LINES),
        source_of(NAMES, LINES[:2]),
        source_of(NAMES[:2], LINES[:2]),
        source_of([*NAMES, "b.txt"], [*LINES, 1]),
        source_of([*NAMES[:2], None], LINES),
        source_of(NAMES, [1, 1, None]),
        source_of([None, *NAMES[1:]], [1, None, 2]),
        source_of([*NAMES[:2], "elsewhere.txt"], LINES),
        source_of([*NAMES[:2], ["b.txt"]], LINES),
        source_of([*NAMES[:2], 5], LINES),
        source_of("abc", LINES),
        source_of(dict.fromkeys(NAMES), LINES),
        source_of(NAMES, "112"),
        source_of(None, LINES),
        source_of(NAMES, None),
        *(source_of(NAMES, [1, 1, line]) for line in (0, -1, 1.0, True, "1", [1], 2**63)),
    ],
)
def test_a_wrong_source_is_refused(source: Any) -> None:
    faults = faults_of(sent(PLAIN, source))

    assert {fault.pointer.split("/source")[0] for fault in faults} == {"/results/1"}
