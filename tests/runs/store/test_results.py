"""Results written with binary COPY come back as they were: values to the last bit, texts, objects and lines."""

import json
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from django.contrib.auth.models import User
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchagent.formats.packing.histogram import packed_histogram
from benchdb.ingest.contract import validate
from benchdb.runs.models import Histogram, Result, Run
from benchdb.runs.store.result_arrays import ResultArrays
from benchdb.runs.store.results import merged_results, store_parse, stored_results
from benchdb.wording.names import is_name
from tests.support.documents import artifact, document, result
from tests.support.store import store_run

ROUNDS = 3
TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8).filter(is_name)
VALUES = st.lists(st.none() | st.floats(0, 1e18) | st.floats(0, 2**59, width=32), min_size=ROUNDS, max_size=ROUNDS)
HISTOGRAM = st.dictionaries(st.integers(0, 10**9), st.integers(1, 99), min_size=1, max_size=5).map(packed_histogram)
LINES = st.lists(st.integers(1, 5), min_size=ROUNDS, max_size=ROUNDS)


@st.composite
def results(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Results that a document may have: measured, failed or published, with and without raw output."""
    drawn = []
    for size in range(draw(st.integers(1, 5))):
        values = draw(st.none() | VALUES)
        measured = values is not None and any(value is not None for value in values)
        fields: dict[str, Any] = {
            "file_size": size + 1,
            "params": draw(st.dictionaries(TEXT, TEXT | st.integers(0, 5), max_size=3)),
        }
        if values is None:
            fields["summary"] = {"mean": draw(st.floats(0, 1e15)), "n": 3}
        elif not measured:
            fields |= {"status": "failed", "error": draw(TEXT)}
        if values is not None and draw(st.booleans()):
            names = draw(st.sampled_from([["a.txt"] * 3, ["a.txt", "b.txt", "a.txt"]]))
            fields["source"] = {"artifacts": names, "lines": draw(LINES)}
        if measured and draw(st.booleans()):
            fields |= {"metric": "latency_mean", "unit": "s"}
            fields["histograms"] = [value if value is None else draw(HISTOGRAM) for value in values]
        evidence = draw(st.none() | st.fixed_dictionaries({"logical_bytes": st.integers(0, 2**62)}))
        drawn.append(result(values, evidence=evidence, **fields))
    return drawn


@pytest.fixture
def run(owner: User) -> Run:
    return store_run(owner)


def checked(sent: list[dict[str, Any]]) -> ResultArrays:
    artifacts = [artifact("a.txt", "x"), artifact("b.txt", "y")]
    return validate(json.dumps(document(rounds=ROUNDS, results=sent, artifacts=artifacts)).encode()).results


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(results())
def test_stored_results_are_those_of_the_document(run: Run, sent: list[dict[str, Any]]) -> None:
    columns = checked(sent)
    for stored_earlier in (Result, Histogram):
        stored_earlier.objects.filter(parse=2).delete()
    run.parses.filter(number=2).delete()

    store_parse(run.pk, 2, "x", np.arange(len(columns)) + 5, columns)

    ordinals, stored = stored_results(run.pk, 2)
    assert ordinals.tolist() == [5 + i for i in range(len(sent))]
    assert merged_results(stored) == merged_results(columns)
    assert list(stored.given) == list(columns.given)


def rows(run_id: UUID, *columns: str) -> list[Any]:
    return list(Result.objects.filter(run=run_id, parse=1).order_by("ordinal").values_list(*columns))


def test_values_that_four_bytes_hold_are_stored_in_four(owner: User) -> None:
    sent = [result([0.5, 1.0, 3.0]), result([0.1, 1.0, 3.0], "read"), result([None, None, 2.0], "reread")]

    run = store_run(owner, results=sent)

    assert rows(run.pk, "values", "singles") == [
        (None, [0.5, 1.0, 3.0]),
        ([0.1, 1.0, 3.0], None),
        (None, [None, None, 2.0]),
    ]


def test_a_line_is_stored_once_if_it_is_the_same_in_all_rounds(owner: User) -> None:
    names = ["a.txt", None, "a.txt"]
    sent = [
        result([1.0, None, 2.0], "write", source={"artifacts": names, "lines": [25, None, 25]}),
        result([1.0, None, 2.0], "read", source={"artifacts": names, "lines": [25, None, 26]}),
        result([1.0, 2.0, 3.0], "reread"),
    ]

    run = store_run(owner, results=sent, artifacts=[artifact("a.txt", "x")])

    assert rows(run.pk, "source", "line", "lines") == [(0, 25, None), (0, None, [25, None, 26]), (None, None, None)]
    assert run.parses.get().sources == [names]
