"""Axes of a trend: round figures and round times, few enough for a phone."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchdb.compare.trend.axis import MOST_ROWS, MOST_TICKS, rows, times

FIRST = datetime(2026, 11, 20, 20, 1, 55, tzinfo=UTC)


def said(last: datetime, first: datetime = FIRST) -> list[str]:
    return [" ".join(filter(None, [tick.text, tick.under])) for tick in times(first, last)]


@pytest.mark.parametrize(
    ("low", "high", "texts"),
    [
        (86.2, 102.4, ["90", "95", "100"]),
        (-0.11, 0.21, ["−0.1", "0.0", "0.1", "0.2"]),
        (0.9, 6.1, ["1", "2", "3", "4", "5", "6"]),
        (100_000.0, 112_000.0, ["100\u202f000", "102\u202f000", "104\u202f000", "106\u202f000", "108\u202f000"]),
        (0.0021, 0.0024, ["0.00210", "0.00215", "0.00220", "0.00225", "0.00230"]),
    ],
)
def test_rows_are_round_and_have_the_digits_of_their_step(low: float, high: float, texts: list[str]) -> None:
    assert [text for _, text in rows(low, high)][: len(texts)] == texts


@given(st.floats(-1e12, 1e12), st.floats(1e-6, 1e12))
def test_rows_are_inside_and_few_for_any_bounds(low: float, room: float) -> None:
    room = max(room, 1e-6 * abs(low))

    figures = [figure for figure, _ in rows(low, low + room)]

    assert 1 <= len(figures) <= MOST_ROWS + 1
    assert all(low - room / 1e6 <= figure <= low + room * (1 + 1e-6) for figure in figures)


@pytest.mark.parametrize(
    ("last", "texts"),
    [
        (FIRST + timedelta(minutes=8), ["20:02 20 Nov 2026", "20:04", "20:06", "20:08"]),
        (FIRST + timedelta(hours=5), ["21:00 20 Nov 2026", "22:00", "23:00", "00:00 21 Nov 2026", "01:00"]),
        (FIRST + timedelta(days=4), ["21 Nov 2026", "22 Nov", "23 Nov", "24 Nov"]),
        (FIRST + timedelta(days=15), ["23 Nov 2026", "26 Nov", "29 Nov", "2 Dec", "5 Dec"]),
        (FIRST + timedelta(days=200), ["Jan 2027", "Mar", "May"]),
        (FIRST + timedelta(days=365 * 4), ["2027", "2028", "2029", "2030"]),
        (FIRST, []),
    ],
)
def test_times_are_full_hours_days_months_or_years(last: datetime, texts: list[str]) -> None:
    assert said(last) == texts


@given(st.datetimes(datetime(1, 1, 1), datetime(9000, 1, 1)), st.timedeltas(timedelta(0), timedelta(days=365_000)))
def test_times_are_inside_and_few_for_any_span(first: datetime, length: timedelta) -> None:
    start = first.replace(tzinfo=UTC)

    ticks = [tick.at for tick in times(start, start + length)]

    assert ticks == sorted(ticks)
    assert len(ticks) <= MOST_TICKS + 1
    assert all(start <= at <= start + length for at in ticks)
