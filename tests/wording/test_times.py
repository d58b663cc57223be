"""The time of a run's measurement, as precisely as it is known, and its display on pages."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.template.loader import render_to_string

from benchdb.wording.times import known_time

DAY, YEAR = datetime(2009, 7, 31, tzinfo=UTC), datetime(2009, 1, 1, tzinfo=UTC)
MEASURED = datetime(2026, 11, 20, 20, 2, 11, tzinfo=UTC)


@pytest.mark.parametrize(
    ("started", "finished", "known"),
    [
        (MEASURED, MEASURED + timedelta(minutes=1), MEASURED),
        (MEASURED, MEASURED, MEASURED),
        (DAY, DAY + timedelta(minutes=1), DAY),  # started at midnight and took a minute
        (DAY, None, DAY),  # from an old permalink, which has no end
        (DAY, DAY, date(2009, 7, 31)),
        (YEAR, YEAR, "2009"),
    ],
)
def test_what_is_not_known_is_not_said(started: datetime, finished: datetime | None, known: object) -> None:
    assert known_time(started, finished) == known
    assert type(known_time(started, finished)) is type(known)


@pytest.mark.parametrize(
    ("time", "markup"),
    [
        (MEASURED, '<time datetime="2026-11-20T20:02:11Z">20 Nov 2026 20:02 UTC</time>'),
        (date(2009, 7, 31), '<time datetime="2009-07-31">31 Jul 2009</time>'),
        ("2009", '<time datetime="2009">2009</time>'),
    ],
)
def test_pages_show_as_much_as_is_known(time: object, markup: str) -> None:
    assert render_to_string("web/partials/time.html", {"time": time}).strip() == markup
