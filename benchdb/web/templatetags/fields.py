"""Fields of forms that have many choices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from django import template
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def options(found: Iterable[Mapping[str, Any]]) -> SafeString:
    """An `<option>` each; the menus over a comparison have two hundred."""
    return SafeString("\n".join(map(_option, found)))


def _option(option: Mapping[str, Any]) -> str:
    selected = " selected" if option.get("selected") else ""
    return f'<option value="{escape(str(option["value"]))}"{selected}>{escape(str(option["text"]))}</option>'
