"""Quantities of rounds: what they are divided by, and which series they use."""

from __future__ import annotations

import numpy as np
import pytest

from benchagent.formats.sampled import SAMPLED
from benchdb.runs.inside.quantities import QUANTITIES, Per, Work, common_work, figures, floors
from benchdb.runs.store.round_totals import RoundTotals

MACHINE = {"device_writes": 40.0, "device_write_time": 8.0, "device_busy_time": 3.0, "temperature_cpu": -4.0}


def round_of(seconds: float = 4.0, logical_bytes: float | None = None, **own: float) -> RoundTotals:
    return RoundTotals(0, seconds, logical_bytes, MACHINE, own)


def figure(of_round: RoundTotals, name: str, work: Work) -> float:
    index = [each.name for each in QUANTITIES].index(name)
    return float(figures([of_round], work)[index, 0])


def test_each_quantity_is_divided_by_what_makes_it_comparable() -> None:
    of_round = round_of(logical_bytes=80.0)
    assert figure(of_round, "device_writes", Work.BYTE) == 0.5
    assert figure(of_round, "device_writes", Work.ROUND) == 40
    assert figure(of_round, "device_write_latency", Work.BYTE) == 0.2
    assert figure(of_round, "device_busy_time", Work.BYTE) == 0.75
    assert figure(of_round, "temperature_cpu", Work.BYTE) == 0
    assert np.isnan(figure(of_round, "device_flushes", Work.BYTE))
    assert np.isnan(figure(of_round, "device_read_latency", Work.BYTE))


@pytest.mark.parametrize(
    ("rounds", "work"),
    [
        ([round_of(operations=5, bytes=9), round_of(operations=6, bytes=9)], Work.OPERATION),
        ([round_of(operations=5, bytes=9), round_of(bytes=9)], Work.BYTE),
        ([round_of(operations=5, bytes=9), round_of(logical_bytes=9)], Work.BYTE),
        ([round_of(operations=5, bytes=9), round_of()], Work.ROUND),
        ([round_of(operations=0), round_of(operations=3)], Work.ROUND),
        ([], Work.ROUND),
    ],
)
def test_work_is_what_all_rounds_know(rounds: list[RoundTotals], work: Work) -> None:
    assert common_work(rounds) is work


def test_floors_of_counters_are_those_of_the_usual_time_for_the_work() -> None:
    found = floors([round_of(2.0, 10.0), round_of(8.0, 10.0)], Work.BYTE)
    by_name = {each.name: floor for each, floor in zip(QUANTITIES, found.tolist(), strict=True)}
    assert by_name["device_flushes"] == pytest.approx(0.1 * 0.4)
    assert by_name["device_busy_time"] == 0.01


def test_every_series_but_idle_time_and_the_tool_s_own_has_a_quantity() -> None:
    used = {each.amount for each in QUANTITIES}
    assert SAMPLED.keys() - used == {"cpu_idle", "operations", "bytes", "latency_max"}
    assert used <= SAMPLED.keys()
    for each in QUANTITIES:
        assert (each.per is Per.LEVEL) is not SAMPLED[each.amount].grows
        assert each.unit == SAMPLED[each.amount].unit
        assert bool(each.requests) is (each.per is Per.REQUEST)
