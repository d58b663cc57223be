"""Form fields with many choices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from django import template
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def options(choices: Iterable[Mapping[str, Any]]) -> SafeString:
    """An `<option>` for each choice; the menus of a comparison have two hundred."""
    return SafeString("\n".join(map(_option, choices)))


def _option(option: Mapping[str, Any]) -> str:
    selected = " selected" if option.get("selected") else ""
    return f'<option value="{escape(str(option["value"]))}"{selected}>{escape(str(option["text"]))}</option>'
