"""The plot of run means, and which results are the main ones of a run."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.contrib.auth.models import User
from hypothesis import given
from hypothesis import strategies as st

from benchdb.components.distribution import MARGIN, WIDTH, distribution, order_of
from benchdb.components.main_results import MainResults, main_results
from benchdb.runs.quantities.columns import NAMES, Column, Quantities
from tests.support.documents import GIB, KIB, MIB, bonnie_document, iozone_document, result
from tests.support.store import store_run


def of_means(means: list[float]) -> MainResults:
    """One test of as many runs as there are means."""
    entries = {"test": "write", "metric": "throughput"}
    columns = {name: Column.of([entries.get(name)]) for name in NAMES}
    zeros = np.zeros(len(means), dtype=np.int64)
    return MainResults(
        runs=[],
        quantities=Quantities(columns, np.ones(1, dtype=np.int64)),
        run=zeros,
        quantity=zeros,
        n=zeros,
        mean=np.array(means, dtype=np.float64),
        sd=np.full(len(means), np.nan),
        values=[None] * len(means),
    )


@given(st.lists(st.floats(0, 1e300), min_size=2, max_size=40))
def test_all_dots_are_inside_the_plot_and_the_extremes_at_its_ends(means: list[float]) -> None:
    (row,) = distribution(of_means(means), 1)

    if min(means) == max(means):
        assert row["plot"] is None
        return
    assert row["plot"] is not None
    places = [float(x) for x in re.findall(r"M([0-9.]+) ", row["plot"]["path"])]
    assert (min(places), max(places)) == (MARGIN, WIDTH - MARGIN)
    assert MARGIN <= row["plot"]["box"] <= row["plot"]["median"] <= row["plot"]["box"] + row["plot"]["box_width"] + 0.1
    assert row["runs"] == len(means)


@pytest.mark.parametrize(("document", "test"), [(iozone_document, "read"), (bonnie_document, "block_read")])
def test_each_test_and_metric_of_a_run_has_one_main_result(
    owner: User, document: Callable[[], dict[str, Any]], test: str
) -> None:
    run = store_run(owner, document())

    results = main_results({run.pk: 1}, set())

    keys = [(results.entry("test", place), results.entry("metric", place)) for place in range(len(results.run))]
    measured = {(each.test, each.metric) for each in run.results.all() if each.status == "ok"}
    assert len(set(keys)) == len(keys)
    assert set(keys) <= measured
    assert test in {name for name, _ in keys}
    assert sorted(keys, key=order_of)[0][1] == "throughput"


def test_the_main_result_has_the_largest_file_then_record_then_fewest_threads(owner: User) -> None:
    sizes = [(MIB, MIB, 1), (GIB, 4 * KIB, 1), (GIB, MIB, 8), (GIB, MIB, 2), (None, None, None)]
    results = [
        result([float(number + 1)] * 2, file_size=file_size, record_size=record, threads=threads)
        for number, (file_size, record, threads) in enumerate(sizes)
    ]
    runs = [store_run(owner, rounds=2, results=results), store_run(owner, rounds=2, results=results[:2])]

    found = main_results({run.pk: 1 for run in runs}, {runs[1].pk})

    means = dict(zip(found.run.tolist(), found.mean.tolist(), strict=True))
    values = dict(zip(found.run.tolist(), found.values, strict=True))
    assert means == {0: 4.0, 1: 2.0}
    assert values == {0: None, 1: [2.0, 2.0]}


def test_no_runs_have_no_results(db: None) -> None:
    assert distribution(main_results({}, set()), 0) == []
