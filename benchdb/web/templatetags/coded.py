"""Filters for sentences that contain code, and for command lines."""

from __future__ import annotations

import re

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

register = template.Library()

TAGS = ((SafeString(""), SafeString("")), (SafeString("<code>"), SafeString("</code>")))  # outside and inside
APOSTROPHE = re.compile(r"(?<=\w)'(?=\w|\s|$)")
WHOLE = (SafeString("<span>"), SafeString("</span>"))


@register.filter
def coded(text: str) -> SafeString:
    """Text between backticks becomes `<code>`: "`state` is why" begins with one. Apostrophes become typographic."""
    pieces = enumerate(str(text).split("`"))
    parts = ((TAGS[i % 2], part if i % 2 else APOSTROPHE.sub("’", part)) for i, part in pieces)
    return format_html_join("", "{}{}{}", ((begin, part, end) for (begin, end), part in parts))


@register.filter
def whole_words(command: str) -> SafeString:
    """A command line whose words do not break at their hyphens, so that `--server` stays in one piece."""
    words = ((WHOLE if "-" in word else TAGS[0], word) for word in re.split(r"(\s+)", str(command)))
    return format_html_join("", "{}{}{}", ((begin, word, end) for (begin, end), word in words))
