"""The positions of lines and labels on a trend's axes: round figures, and round times in UTC. Pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from math import ceil, floor, log10
from typing import NamedTuple

from benchdb.wording.numbers import say_number

MOST_ROWS, MOST_TICKS = 6, 6  # as many as a phone has room for
HOURS = (*(minutes / 60 for minutes in (1, 2, 5, 10, 15, 30)), 1, 3, 6, 12, 24, 48, 72, 120, 240)
MONTHS = (1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400)


class AxisTick(NamedTuple):
    """A time on the axis; `under` is the date of an hour or the year of a day, if it differs from the one before."""

    at: datetime
    text: str
    under: str


def rows(low: float, high: float) -> list[tuple[float, str]]:
    """Multiples of 1, 2 or 5 times a power of ten between these bounds, each with its text."""
    least = (high - low) / MOST_ROWS
    power = 10.0 ** floor(log10(least))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least * (1 - 1e-9))
    decimals = max(0, -floor(log10(step) + 1e-9))
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [(i * step, say_number(i * step, decimals)) for i in range(first, last + 1)]


def times(first: datetime, last: datetime) -> list[AxisTick]:
    """Full minutes, hours, days or months in UTC from `first` to `last`, with the finest step that is not too fine."""
    first, last = first.astimezone(UTC), last.astimezone(UTC)
    hours = next((step for step in HOURS if (last - first) / timedelta(hours=step) <= MOST_TICKS), None)
    if hours is not None:
        return _ticks(list(_hours(first, last, hours)), *(("%-d %b", "%Y") if hours >= 24 else ("%H:%M", "%-d %b %Y")))
    long = (last.year - first.year) * 12 + last.month - first.month
    months = next((step for step in MONTHS if long / step <= MOST_TICKS), MONTHS[-1])
    return _ticks(list(_months(first, last, months)), *(("%Y", "") if months >= 12 else ("%b", "%Y")))


def _hours(first: datetime, last: datetime, step: float) -> Iterator[datetime]:
    midnight = first.replace(hour=0, minute=0, second=0, microsecond=0)
    length = timedelta(hours=step)
    for i in range(-((midnight - first) // length), (last - midnight) // length + 1):
        yield midnight + i * length


def _months(first: datetime, last: datetime, step: int) -> Iterator[datetime]:
    before = -(-(first.year * 12 + first.month - 1) // step) * step
    for month in range(before, last.year * 12 + last.month, step):
        at = datetime(month // 12, month % 12 + 1, 1, tzinfo=UTC)
        if first <= at <= last:
            yield at


def _ticks(round_times: Sequence[datetime], text: str, under: str) -> list[AxisTick]:
    before = ["", *(f"{at:{under}}" if under else "" for at in round_times)]
    return [
        AxisTick(at, f"{at:{text}}", current if current != last else "")
        for at, last, current in zip(round_times, before, before[1:], strict=False)
    ]
