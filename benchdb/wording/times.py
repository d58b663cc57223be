"""The times at which runs were measured, as exactly as known, and at which they were added."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

SOON = timedelta(days=1)  # most runs are uploaded within this time after their end


def known_time(started: datetime, finished: datetime | None) -> datetime | date | str:
    """The start; a date if only the day is known, and `2009` if only the year is known.

    Publications and imports give at most a day. Their runs begin and end at the same midnight UTC, on 1 January if only
    the year is known; no measured run does that.
    """
    at = started.astimezone(UTC)
    if started != finished or at.time() != time():
        return started
    return f"{at.year}" if (at.month, at.day) == (1, 1) else at.date()


def added_later(finished: datetime, received: datetime) -> datetime | None:
    """The time at which a run was added, unless soon after its end; lists are sorted by that time, latest first."""
    return received if received - finished > SOON else None
