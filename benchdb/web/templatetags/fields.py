"""Form fields with many choices, which a loop in a template would write several times slower."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Protocol

from django import template
from django.utils.safestring import SafeString

from benchdb.runs.listing.filter_panel import FacetOption

register = template.Library()


class MenuOption(Protocol):
    """A choice of a menu."""

    @property
    def value(self) -> str: ...

    @property
    def text(self) -> str: ...

    @property
    def selected(self) -> bool: ...


@register.filter
def options(choices: Iterable[MenuOption | Mapping[str, object]]) -> SafeString:
    """An `<option>` for each choice; the menus of a comparison have two hundred."""
    return SafeString("\n".join(map(_option, choices)))


def _option(option: MenuOption | Mapping[str, object]) -> str:
    if isinstance(option, Mapping):
        return _html(option["value"], option["text"], selected=bool(option.get("selected")))
    return _html(option.value, option.text, selected=option.selected)


def _html(value: object, text: object, *, selected: bool) -> str:
    return f'<option value="{escape(str(value))}"{" selected" if selected else ""}>{escape(str(text))}</option>'


@register.filter
def check_boxes(options: Iterable[FacetOption], name: str) -> SafeString:
    """A check box for each value of the facet `name`; a list of many runs has five hundred."""
    return SafeString("\n".join(_check_box(escape(name), option) for option in options))


def _check_box(name: str, option: FacetOption) -> str:
    return (
        f'<label><input class="form-check-input" type="checkbox" name="{name}" value="{escape(option.value)}"'
        f" data-at-once{' checked' if option.chosen else ''}> <span>{escape(option.text)}</span>"
        f' <span class="runs">{escape(option.runs)}</span></label>'
    )
