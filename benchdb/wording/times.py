"""When runs were measured, as exactly as anybody knows, and when they came here."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

SOON = timedelta(days=1)  # after its end a run is usually here


def known_time(started: datetime, finished: datetime | None) -> datetime | date | str:
    """The start; where only the day is known a date, and where only the year is known `2009`.

    Publications and people who import know no more than a day. Such a run begins and ends at one midnight of UTC, on
    1 January where nothing but the year is known, which no run that was measured does.
    """
    at = started.astimezone(UTC)
    if started != finished or at.time() != time():
        return started
    return f"{at.year}" if (at.month, at.day) == (1, 1) else at.date()


def added_later(finished: datetime, received: datetime) -> datetime | None:
    """When a run was added, where that is not soon after its end: lists have what was added last first."""
    return received if received - finished > SOON else None
