"""Bencher Metric Format."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import User

from benchdb.exports.contents import cells
from benchdb.exports.registry import FORMATS
from tests.support.comparing.exported import FROZEN, KINDS, Kind, a_table
from tests.support.documents import MIB


def test_a_benchmark_is_a_cell_and_a_measure_its_metric_in_base_units(owner: User) -> None:
    benchmarks = json.loads(FORMATS["bmf"].export(a_table(owner), FROZEN))

    figures = benchmarks["xfs · Write · 1 MiB"]["throughput"]
    assert figures["value"] == pytest.approx(120 * MIB)
    assert figures["lower_value"] < figures["value"] < figures["upper_value"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_measured_cell_is_there_once(owner: User, kind: Kind) -> None:
    content = kind(owner)

    benchmarks = json.loads(FORMATS["bmf"].export(content, FROZEN))

    measured = [placed.cell.mean for placed in cells(content) if placed.cell.mean is not None]
    given = [measure["value"] for measures in benchmarks.values() for measure in measures.values()]
    assert sorted(given) == sorted(measured)
