"""Times as HTML, written by Python: a list of runs has a hundred, and Django's `date` took a sixth of its page."""

from __future__ import annotations

from calendar import month_abbr
from datetime import UTC, date, datetime

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def moment(time: datetime | date | str, date_only: bool = False) -> SafeString:
    """`<time>` of an aware datetime, or of a date or "2009" where no more is known (benchdb/wording/times.py).

    Shows UTC; app.js turns a datetime into the reader's zone and moves UTC into the title. `date_only` shows the day.
    """
    if isinstance(time, datetime):
        utc = time.astimezone(UTC)
        exact = utc.replace(microsecond=0, tzinfo=None).isoformat()
        if date_only:
            return format_html('<time datetime="{}Z" data-date-only>{}</time>', exact, _day(utc))
        return format_html('<time datetime="{}Z">{} {} UTC</time>', exact, _day(utc), f"{utc:%H:%M}")
    if isinstance(time, date):
        return format_html('<time datetime="{}">{}</time>', time.isoformat(), _day(time))
    return format_html('<time datetime="{}">{}</time>', time, time)


def _day(day: date) -> str:
    return f"{day.day} {month_abbr[day.month]} {day.year:04}"
