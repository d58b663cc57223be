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


def known_start(started: datetime, finished: datetime | None) -> str:
    """`known_time` as text for JSON, in ISO 8601: `2009`, `2009-07-31`, or the time with its offset."""
    known = known_time(started, finished)
    return known if isinstance(known, str) else known.isoformat()


def read_start(text: str) -> datetime | date | str:
    """What `known_time` said, from the text of `known_start`."""
    if len(text) == len("2009"):
        return text
    return date.fromisoformat(text) if len(text) == len("2009-07-31") else datetime.fromisoformat(text)


def earliest(text: str) -> datetime:
    """The first moment that the text of `known_start` may mean."""
    known = read_start(text)
    if isinstance(known, datetime):
        return known
    return datetime.combine(date(int(known), 1, 1) if isinstance(known, str) else known, time(), UTC)


def say_start(text: str) -> str:
    """`20 Nov 2026 12:00 UTC`, `31 Jul 2009`, `2009`: the text of `known_start` in words."""
    known = read_start(text)
    if isinstance(known, str):
        return known
    return f"{known:%-d %b %Y %H:%M} UTC" if isinstance(known, datetime) else f"{known:%-d %b %Y}"


def added_later(finished: datetime, received: datetime) -> datetime | None:
    """The time at which a run was added, unless soon after its end; lists are sorted by that time, latest first."""
    return received if received - finished > SOON else None
