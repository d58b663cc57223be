"""Quantities over time: amounts are kept when steps change, and processes of one time are joined."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.formats.companions import Companion, companion_named, placed, since_first
from benchagent.formats.over_time import OverTime, TimedValue, in_steps, integers_of, joined
from benchagent.formats.sampled import MOST_POINTS

TIMES = st.floats(0, 500, allow_nan=False, width=32)


def series(
    points: list[float], start: float = 0.0, step: float = 1.0, name: str = "bytes", **fields: object
) -> OverTime:
    return OverTime(
        name, str(fields.get("test", "read")), start, step, tuple(points), int(str(fields.get("choice", 0)))
    )


@given(st.lists(st.tuples(TIMES, TIMES, st.floats(0, 1e12))), st.sampled_from([0.1, 0.5, 1.0, 7.0]))
def test_amounts_are_kept(times: list[tuple[float, float, float]], step: float) -> None:
    spans = [TimedValue(min(a, b), max(a, b), value) for a, b, value in times]
    total = sum(span.value for span in spans)
    assert sum(in_steps("bytes", spans, 0.0, step)) == pytest.approx(total, rel=1e-5, abs=1e-6)
    levels = in_steps("latency_mean", spans, 0.0, step)
    assert max(levels, default=0) <= max((span.value for span in spans), default=0) * (1 + 1e-9) + sys.float_info.min
    assert max(in_steps("latency_max", spans, 0.0, step), default=0) == max((span.value for span in spans), default=0)


def test_amounts_are_divided_by_time_and_levels_averaged() -> None:
    spans = [TimedValue(0.5, 2.5, 8.0), TimedValue(2.5, 2.5, 1.0), TimedValue(2.5, 3.0, 0.0)]
    assert in_steps("bytes", spans, 0.0, 1.0) == pytest.approx((2, 4, 3))
    assert in_steps("latency_mean", [TimedValue(0, 1.5, 4.0), TimedValue(1.5, 2, 8.0)], 0.0, 1.0) == pytest.approx(
        (4, 6)
    )


def test_processes_of_one_time_are_added_up_and_others_are_not() -> None:
    parallel = [series([1, 2, 3]), series([2, 2, 2], start=0.2), series([4, 5, 6], start=10.0)]
    first, second = joined(parallel)
    assert first.points == pytest.approx((2.6, 4, 5, 0.4))
    assert second == parallel[2]
    [coarse] = joined([series([1.0] * 4), series([1.0] * 8, step=0.5)])
    assert (coarse.step, coarse.points) == (1.0, pytest.approx((3, 3, 3, 3)))
    [level] = joined([series([1, 0], name="latency_mean"), series([3, 5], name="latency_mean")])
    assert level.points == pytest.approx((2, 5))


def test_of_several_kinds_of_latencies_the_first_is_kept() -> None:
    kinds = [series([choice], name="latency_mean", choice=choice) for choice in (3, 1, 2)]
    assert joined(kinds) == [kinds[1]]


def test_the_series_of_a_test_begin_together() -> None:
    sent = [
        series([1, 1], start=5.0),
        series([1, 1], start=5.3, name="operations"),
        series([1], start=5.3, test="write"),
    ]
    assert [each.start for each in joined(sent)] == [5.0, 5.0, 5.3]


def test_long_series_get_longer_steps() -> None:
    [found] = joined([series([1.0] * MOST_POINTS), series([1.0] * MOST_POINTS, start=MOST_POINTS - 10)])
    assert (found.step, sum(found.points)) == (2.0, pytest.approx(2 * MOST_POINTS))
    assert len(found.points) <= MOST_POINTS


def test_documents_have_sums_of_counters_and_nanoseconds_of_latencies() -> None:
    assert integers_of(series([0.4, 0.4, 0.4])) == (1.0, [0, 1, 1])
    assert integers_of(series([2e-6, 0], name="latency_max")) == (1e-9, [2000, 0])


def test_a_file_is_placed_in_the_time_and_tests_of_its_output() -> None:
    companion = Companion({"read": "random_read"}, 5.0)
    assert companion_named({"a_bw.log": companion}, "C:\\logs\\a_bw.12.log") == companion
    sent = [series([1]), series([1], test="trim"), series([1], start=1.7e9), series([1], start=1.7e9 + 3)]
    found = since_first(placed(sent, companion))
    assert [(each.test, each.start) for each in found] == [("random_read", start) for start in (5.0, 0.0, 3.0)]
