"""Days of measuring, which begin when nothing runs."""

from datetime import UTC, datetime

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from benchdb.stats.days import DAY, beginnings, days_of


def at(day: int, hour: int) -> float:
    return datetime(2026, 11, day, hour, tzinfo=UTC).timestamp()


def test_a_session_over_midnight_is_one_day() -> None:
    times = [at(day, hour) for day in (1, 2, 3) for hour in (22, 23)] + [at(day, 1) for day in (2, 3, 4)]
    assert beginnings(days_of(sorted(times))).tolist() == [0, 3, 6]


def test_runs_at_all_hours_make_days_of_24_hours() -> None:
    days = days_of([at(day, hour) for day in range(1, 11) for hour in (0, 6, 12, 18)])
    assert np.bincount(days - days[0]).max() == 4


def test_a_run_every_day_is_a_day_even_if_it_is_late() -> None:
    hours = [2, 3, 2, 1, 2, 4]
    assert len(beginnings(days_of([at(day + 1, hour) for day, hour in enumerate(hours)]))) == 6


def test_beginnings_are_those_of_stretches() -> None:
    assert beginnings([1, 1, 2, 1, 1]).tolist() == [0, 2, 3]
    assert beginnings([]).tolist() == days_of([]).tolist() == []


@given(st.lists(st.floats(0, 1e9), min_size=1, max_size=30))
def test_days_follow_time_and_have_24_hours(times: list[float]) -> None:
    ordered = np.sort(times)
    days = days_of(ordered)
    assert (np.diff(days) >= 0).all()
    for day in set(days.tolist()):
        assert np.ptp(ordered[days == day]) <= DAY
