"""Results as columns: lengths, offsets, and columns that are absent or unknown."""

import tracemalloc
from typing import Any

import numpy as np
import pytest

from benchdb.ingest.contract import validate
from tests.support.documents import artifact, document, encoded, result, round_
from tests.support.faults import faults_of, places_of

ROUNDS = 2


def columns(**changed: Any) -> dict[str, Any]:
    """Two results of two rounds."""
    return {
        "test": ["write", "read"],
        "metric": ["throughput", "throughput"],
        "unit": ["B/s", "B/s"],
        "offsets": [0, 2, 4],
        "values": [1.0, 2.0, 3.0, None],
        **changed,
    }


def sent(results: Any) -> dict[str, Any]:
    return document(rounds=ROUNDS, results=results, artifacts=[artifact("a.txt", "x")])


def test_absent_columns_have_their_defaults() -> None:
    results = validate(encoded(sent(columns()))).results

    assert results.values.tolist()[:3] == [1.0, 2.0, 3.0]
    assert np.isnan(results.values[3])
    assert (results.file_size.tolist(), results.threads.tolist(), results.lines.tolist()) == ([0, 0], [0, 0], [0] * 4)
    assert (results.params, results.status, results.given) == ([{}, {}], ["ok", "ok"], [None, None])


def test_results_without_values_end_where_they_begin() -> None:
    given = columns(offsets=[0, 0, 0], values=[], summary=[{"mean": 1.0}, {"mean": 2.0, "n": 3}])

    assert validate(encoded(sent(given))).results.offsets.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("changed", "pointer"),
    [
        ({"file_size": [4096]}, "/results/file_size"),
        ({"metric": ["throughput"] * 3}, "/results/metric"),
        ({"test": []}, "/results/test"),
        ({"test": "write"}, "/results/test"),
        ({"colour": [1, 2]}, "/results/colour"),
        ({"lines": [1, 2, 3]}, "/results/lines"),
        ({"offsets": [0, 2]}, "/results/offsets"),
        ({"offsets": [0, 2, 3]}, "/results/offsets"),
        ({"offsets": [1, 2, 4]}, "/results/offsets"),
        ({"offsets": [0, 5, 4]}, "/results/offsets"),
        ({"offsets": [0, True, 4]}, "/results/offsets"),
        ({"offsets": [0, 2.0, 4]}, "/results/offsets"),
        ({"offsets": [0, 1, 4]}, "/results/offsets/1"),
        ({"source": [0, None]}, "/results/source/0"),
        ({"source": [0, None], "artifacts": [["a.txt"]], "lines": [1, 1, None, None]}, "/results/artifacts/0"),
        (
            {"source": [0, None], "artifacts": [["a.txt", "b.txt"]], "lines": [1, 1, None, None]},
            "/results/artifacts/0/1",
        ),
        ({"source": [0, None], "artifacts": [["a.txt"] * 2], "lines": [1, 1, 5, None]}, "/results/lines/2"),
        ({"values": [1.0, -1.0, 3.0, 4.0]}, "/results/values/1"),
        ({"status": ["ok", "skipped"]}, "/results/status/1"),
        ({"params": [{}, {"a": [1]}]}, "/results/params/1/a"),
    ],
)
def test_a_fault_is_listed_with_its_pointer_and_value(changed: dict[str, Any], pointer: str) -> None:
    results = columns(**changed)

    values = places_of(sent(results))

    assert pointer in values


def test_many_empty_lists_of_artifacts_take_no_memory() -> None:
    rounds, lists = 20_000, 20_000  # a mask of all rounds of all lists would have 400 million entries
    results = columns(offsets=[0, 0, 0], values=[], summary=[{"mean": 1.0}] * 2, artifacts=[[]] * lists)

    tracemalloc.start()
    try:
        pointers = places_of({**sent(results), "rounds": [round_(0)] * rounds})
        assert tracemalloc.get_traced_memory()[1] < 200 << 20
    finally:
        tracemalloc.stop()
    assert "/results/artifacts/0" in pointers


def test_each_of_many_results_may_have_artifacts_of_its_own() -> None:
    names = [f"{number}.txt" for number in range(5_000)]
    sources = [{"artifacts": [name], "lines": [1]} for name in names]
    results = [result([1.0], file_size=size, source=source) for size, source in enumerate(sources, start=1)]
    body = encoded(document(rounds=1, results=results, artifacts=[artifact(name, "x") for name in names]))

    assert validate(body).results.source.tolist() == list(range(5_000))


def test_a_missing_column_is_required() -> None:
    results = columns()
    del results["unit"], results["offsets"]

    faults = {(fault.pointer, fault.expected) for fault in faults_of(sent(results))}
    assert faults == {(f"/results/{name}", "present: the field is required") for name in ("unit", "offsets")}


@pytest.mark.parametrize("results", [None, 5, "x", [], {}, [5]])
def test_results_of_another_type_are_refused(results: Any) -> None:
    assert all(pointer.startswith("/results") for pointer in places_of(sent(results) | {"results": results}))
