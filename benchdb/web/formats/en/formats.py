"""Dates and times as pages have them."""

from __future__ import annotations

DATE_FORMAT = "j M Y"
DATETIME_FORMAT = "j M Y H:i"
