"""When runs were measured, as exactly as anybody knows."""

from __future__ import annotations

from datetime import UTC, date, datetime, time


def known_time(started: datetime, finished: datetime | None) -> datetime | date | str:
    """The start; where only the day is known a date, and where only the year is known `2009`.

    Publications and people who import know no more than a day. Such a run begins and ends at one midnight of UTC, on
    1 January where nothing but the year is known, which no run that was measured does.
    """
    at = started.astimezone(UTC)
    if started != finished or at.time() != time():
        return started
    return f"{at.year}" if (at.month, at.day) == (1, 1) else at.date()
