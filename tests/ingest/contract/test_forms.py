"""Columns and a list of objects say the same: equal faults and equal rows, whatever their entries are."""

import json
import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from benchagent.formats.packing.histogram import packed_histogram
from benchdb.ingest.contract import FaultyDocument, validate
from benchdb.runs.store.results import merged_results
from tests.support.documents import artifact, columns_of, document, iozone_document

ROUNDS = 2
ARTIFACTS = [artifact("a.txt", "x"), artifact("b.txt", "y")]
ODD: list[Any] = [0, -1, 1.5, True, "x", [], {}, 2**63, 10**400, float("nan")]


def mostly(*plain: Any) -> st.SearchStrategy[Any]:
    """One of these entries, and now and then an odd one."""
    return st.one_of(*[st.sampled_from(plain)] * 6, st.sampled_from(ODD))


VALUES = st.lists(mostly(1.0, 2.5, 7, None), min_size=ROUNDS, max_size=ROUNDS) | st.lists(st.just(1.0), max_size=3)
SUMMARY = st.fixed_dictionaries(
    {"mean": mostly(1.0, 0.0)}, optional={"n": mostly(3), "sd": mostly(0.5), "other": st.just(1)}
)
NAMES = st.lists(st.sampled_from(["a.txt", "b.txt", None, "c.txt"]), min_size=ROUNDS, max_size=ROUNDS)
LINES = st.lists(mostly(1, 2, None), min_size=ROUNDS, max_size=ROUNDS)
HISTOGRAMS = st.lists(mostly(packed_histogram({900: 2, 5000: 1}), None), min_size=ROUNDS, max_size=ROUNDS)
RESULT = st.fixed_dictionaries(
    {
        "test": mostly("write", "read", "rewrite"),
        "metric": mostly("throughput", "rate", "latency_mean"),
        "unit": mostly("B/s", "op/s", "s"),
        "values": VALUES,
    },
    optional={
        "file_size": mostly(None, 4096, 8192),
        "record_size": mostly(None, 4096),
        "threads": mostly(None, 1, 2),
        "params": mostly({}, {"a": 1}, {"a": 1.0}, {"a": True}, {"a": "x" * 600}),
        "status": mostly("ok", "failed", "unmeasurable"),
        "error": mostly(None, "No space left on device"),
        "evidence": mostly(None, {"device_read_bytes": 5}, {"device_read_bytes": -5}),
        "summary": st.none() | SUMMARY,
        "histograms": st.none() | HISTOGRAMS,
        "source": st.fixed_dictionaries(
            {"artifacts": NAMES, "lines": st.lists(mostly(1, 2, None), min_size=2, max_size=2)}
        ),
    },
)
Key = tuple[Any, ...]


def with_usable_source(result: dict[str, Any]) -> dict[str, Any]:
    """Without a source that columns cannot express: one whose lists are not as long as the values."""
    if len(result["values"]) == ROUNDS:
        return result
    return {name: entry for name, entry in result.items() if name != "source"}


def outcome(results: Any) -> tuple[set[tuple[str, str]], list[Any]]:
    """The faults by pointer, and the rows, of a document with these results."""
    body = json.dumps(document(rounds=ROUNDS, results=results, artifacts=ARTIFACTS)).encode()
    try:
        columns = validate(body).results
    except FaultyDocument as refused:
        return {(fault.pointer, fault.expected) for fault in refused.faults}, []
    return set(), list(zip(merged_results(columns), columns.given, strict=True))


def as_pointers_of_objects(faults: set[tuple[str, str]], columns: dict[str, Any]) -> set[tuple[str, str]]:
    """The faults of columns with the pointers that they have in a list of objects."""
    return {(_pointer(pointer, columns), _sentence(expected)) for pointer, expected in faults}


def _pointer(pointer: str, columns: dict[str, Any]) -> str:
    _, results, column, entry, *inner = pointer.split("/")
    assert results == "results"
    number, rest = int(entry), "".join(f"/{part}" for part in inner)
    if column == "offsets":
        return f"/results/{number - 1}/values"
    if column == "artifacts":
        return f"/results/{columns['source'].index(number)}/source/artifacts{rest}"
    if column in ("values", "lines"):
        result = next(i for i, end in enumerate(columns["offsets"][1:]) if number < end)
        name = "values" if column == "values" else "source/lines"
        return f"/results/{result}/{name}/{number - columns['offsets'][result]}"
    return f"/results/{number}/{column}{rest}"


def _sentence(expected: str) -> str:
    return re.sub(r"/results/test/(\d+) has", r"/results/\1 has", expected)


def _repeated(faults: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """Faults with the pointer of a repeated result for its test, which is its pointer in columns."""
    return {
        (f"{pointer}/test" if expected.startswith("a result measured once") else pointer, expected)
        for pointer, expected in faults
    }


@settings(max_examples=400, deadline=None)
@given(st.lists(RESULT.map(with_usable_source), min_size=1, max_size=4))
def test_both_forms_have_the_same_faults_and_rows(results: list[dict[str, Any]]) -> None:
    columns = columns_of(results)

    faults, rows = outcome(results)
    faults_of_columns, rows_of_columns = outcome(columns)

    assert (as_pointers_of_objects(faults_of_columns, columns), rows_of_columns) == (_repeated(faults), rows)


def test_a_run_of_a_tool_has_the_same_rows_in_both_forms() -> None:
    sent = iozone_document()

    objects = validate(json.dumps(sent).encode()).results
    columns = validate(json.dumps({**sent, "results": columns_of(sent["results"])}).encode()).results

    assert (len(objects), merged_results(columns)) == (396, merged_results(objects))
