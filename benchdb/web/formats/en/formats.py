"""Dates and times as pages have them."""

DATE_FORMAT = "j M Y"
DATETIME_FORMAT = "j M Y H:i"
