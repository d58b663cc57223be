"""Times as HTML; a list of runs has a hundred, and Django's `date` filter took a sixth of the page's time."""

from __future__ import annotations

from calendar import month_abbr
from datetime import UTC, date, datetime

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def moment(time: datetime | date | str, date_only: bool = False) -> SafeString:
    """A `<time>` element for an aware datetime, a date, or a year such as "2009" (benchdb/wording/times.py).

    The text is in UTC; app.js converts it to the reader's zone and puts UTC into the title. `date_only` omits the time.
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
