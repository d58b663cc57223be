"""Quantities of rounds: what they are divided by, and which series they use."""

import numpy as np
import pytest

from benchagent.formats.sampled import SAMPLED
from benchdb.runs.totals.of_round import RoundTotals
from benchdb.runs.totals.pairs import figures, pair_of
from benchdb.runs.totals.quantities import QUANTITIES, Per, Work, common_work
from benchdb.stats.arrays import FloatArray

MACHINE = {"device_writes": 40.0, "device_write_time": 8.0, "device_busy_time": 3.0, "temperature_cpu": -4.0}


def round_of(seconds: float = 4.0, logical_bytes: float | None = None, **own: float) -> RoundTotals:
    return RoundTotals(0, seconds, logical_bytes, MACHINE, own)


def figure(of_round: RoundTotals, name: str, work: Work) -> float:
    return float(figures([of_round], work)[[each.name for each in QUANTITIES].index(name), 0])


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


def by_name(column: FloatArray) -> dict[str, float]:
    return {each.name: value for each, value in zip(QUANTITIES, column.tolist(), strict=True)}


def test_floors_of_counters_are_those_of_the_usual_time_for_the_work() -> None:
    pair = pair_of([[round_of(2.0, 10.0)]], [[round_of(8.0, 10.0)]], Work.BYTE)
    assert by_name(pair.floors)["device_flushes"] == pytest.approx(0.1 * 0.4)
    assert by_name(pair.floors)["device_busy_time"] == 0.01
    assert by_name(pair.rate_floors)["device_flushes"] == 0.1


def test_slow_counters_and_processor_time_have_rates_too() -> None:
    """40 writes in 8 s are too many for the clock, 12 commits are not."""
    side = [RoundTotals(0, 8.0, None, {**MACHINE, "journal_commits": 12.0, "cpu_user": 9.0}, {})]
    rates = by_name(pair_of([side], [side], Work.ROUND).first.rates[:, 0])
    assert (rates["journal_commits"], rates["cpu_user"]) == (1.5, 1.125)
    assert {name for name, rate in rates.items() if rate > 0} == {"journal_commits", "cpu_user"}


def test_several_runs_of_a_side_are_their_means() -> None:
    side = [[round_of(4.0), round_of(4.0)], [round_of(2.0)], [round_of(1.0)]]
    pair = pair_of(side, side[1:], Work.ROUND)
    assert (pair.first.runs, pair.first.values.shape) == (3, (len(QUANTITIES), 3))
    assert by_name(pair.first.values[:, 2])["device_busy_time"] == pytest.approx(3)


def test_every_series_has_a_quantity_unless_it_says_the_same_as_another() -> None:
    """ext4 counts its writes with the counter of the device, disks count the same, and idle is the rest of busy."""
    used = {each.amount for each in QUANTITIES}
    assert SAMPLED.keys() - used == {
        *("cpu_idle", "file_system_write_bytes", "operations", "bytes", "latency_mean", "latency_max"),
        *("disk_read_bytes", "disk_write_bytes", "disk_busy_time"),
    }
    assert used <= SAMPLED.keys()
    for each in QUANTITIES:
        assert (each.per is Per.LEVEL) is not SAMPLED[each.amount].grows
        assert each.unit == SAMPLED[each.amount].unit
        assert bool(each.requests) is (each.per is Per.REQUEST)
