"""Sentences with code in them, and code itself."""

from __future__ import annotations

import re

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

register = template.Library()

TAGS = ((SafeString(""), SafeString("")), (SafeString("<code>"), SafeString("</code>")))  # outside and inside
WHOLE = (SafeString("<span>"), SafeString("</span>"))


@register.filter
def coded(text: str) -> SafeString:
    """What stands between backticks as code: "`state` is why" begins with a `<code>`."""
    parts = ((TAGS[i % 2], part) for i, part in enumerate(str(text).split("`")))
    return format_html_join("", "{}{}{}", ((begin, part, end) for (begin, end), part in parts))


@register.filter
def whole_words(command: str) -> SafeString:
    """A command line whose words do not break at their hyphens: `--server` is nothing that people know by halves."""
    words = ((WHOLE if "-" in word else TAGS[0], word) for word in re.split(r"(\s+)", str(command)))
    return format_html_join("", "{}{}{}", ((begin, word, end) for (begin, end), word in words))
