"""Sentences with code in them."""

from __future__ import annotations

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

register = template.Library()

TAGS = ((SafeString(""), SafeString("")), (SafeString("<code>"), SafeString("</code>")))  # outside and inside


@register.filter
def coded(text: str) -> SafeString:
    """What stands between backticks as code: "`state` is why" begins with a `<code>`."""
    parts = ((TAGS[i % 2], part) for i, part in enumerate(str(text).split("`")))
    return format_html_join("", "{}{}{}", ((begin, part, end) for (begin, end), part in parts))
