"""Bencher Metric Format."""

import json
from typing import cast

import pytest
from django.contrib.auth.models import User

from benchagent.formats import parse
from benchdb.compare.query.selection import Selection
from benchdb.compare.table.evaluate import evaluate
from benchdb.exports.contents import cells
from benchdb.exports.formats import FORMATS
from tests.support.comparing.comparisons import SPREAD, values
from tests.support.comparing.exported import FROZEN, KINDS, Kind, a_table
from tests.support.documents import MIB, result
from tests.support.store import store_run


def test_a_benchmark_is_a_cell_and_a_measure_its_metric_in_base_units(owner: User) -> None:
    benchmarks = json.loads(FORMATS["bmf"].export(a_table(owner), FROZEN))

    figures = benchmarks["xfs · Write · 1 MiB"]["throughput-bytes-per-second"]
    assert figures["value"] == pytest.approx(120 * MIB)
    assert figures["lower_value"] < figures["value"] < figures["upper_value"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_measured_cell_is_there_once(owner: User, kind: Kind) -> None:
    content = kind(owner)

    benchmarks = json.loads(FORMATS["bmf"].export(content, FROZEN))

    measured = [placed.cell.mean for placed in cells(content) if placed.cell.mean is not None]
    assert len([measure["value"] for measures in benchmarks.values() for measure in measures.values()]) == len(measured)


def test_bencher_s_own_measures_are_read_again_as_they_were(owner: User) -> None:
    results = [result(values(2e-5), "read", "latency_mean", "s"), result(values(5000.0), "read", "rate", "op/s")]
    run = store_run(owner, rounds=len(SPREAD), results=results)
    tables = [
        evaluate(Selection.parse(f"run={run.id}&metric={metric}"), owner)[0] for metric in ("latency_mean", "rate")
    ]

    again = [parse(cast(bytes, FORMATS["bmf"].export(table, FROZEN))) for table in tables]

    means = {each.metric: each.values[0] for parsed in again for each in parsed.results if "view" not in each.params}
    assert means == {"latency_mean": pytest.approx(2e-5), "rate": pytest.approx(5000)}
