"""The contexts of the page of a trend."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from benchdb.compare.content import Content, Context
from benchdb.compare.page_parts.actions import addresses, progress
from benchdb.compare.page_parts.menus import EARLIER_CHOICES, menu
from benchdb.compare.page_parts.titles import title_line
from benchdb.wording.sizes import print_size

from . import present as trend_present
from .chart import show_chart
from .complete import LABELS, Menus, say
from .selection import AXES, FIXED_LABELS, TrendSelection

SIZES = ("file_size", "record_size")
# Each parameter depends on those before it: a file size chosen for one test is meaningless for another.
DEPENDENT = ("metric", "test", *SIZES, "threads", "params")


def trend(content: Content, menus: Menus) -> Context:
    """`compare/trend.html`."""
    selection = TrendSelection.parse(content["query"])
    return {
        **frozen_trend(content),
        "choices": _form(selection, menus),
        "wider": list(_wider(content, selection)),
        "older": _href(selection.replace(before=content["older"])) if content["older"] else None,
        "newest": _href(selection.replace(before=None)) if selection.before else None,
        "progress": progress(content),
        **addresses("trend", "trend", content["query"]),
    }


def frozen_trend(content: Content) -> Context:
    """The common context of `compare/trend.html` and a permalink to a trend: everything in the content."""
    return {
        "section": "compare",
        "title": title_line(content),
        "points": trend_present.show_points(content),
        "statements": trend_present.show_statements(content),
        "chart": show_chart(content),
        "table": trend_present.show_table(content),
        "notes": content["notes"],
        "statistics": f"statistics {content['statistics_version']}",
    }


def _wider(content: Content, selection: TrendSelection) -> Iterator[Context]:
    """Links that add more runs: each lets settings vary in which other runs of a file system differ."""
    for series in content["series"]:
        for other in series["others"][:3]:
            vary = (*selection.vary, *(name for name in other["names"] if name not in selection.vary))
            yield {
                "text": f"{other['runs']} more on {series['label']} with other {other['label']}",
                "href": _href(selection.replace(vary=vary)),
            }


def _href(selection: TrendSelection) -> str:
    return f"{reverse('trend')}?{selection.query()}"


def _form(selection: TrendSelection, menus: Menus) -> Context:
    """The context of web/partials/choices.html; a menu of one value is no choice."""
    fields = [menu("by", "over", [(name, label) for name, label in AXES.items()], selection.by)]
    chosen = {name: _parameter(name, getattr(selection, name)) for name in DEPENDENT}
    for name in DEPENDENT:
        if len(menus[name]) > 1:
            options = [(_parameter(name, value), say(name, value)) for value in menus[name]]
            fields.append(menu(name, LABELS[name], options, chosen[name]))
    was = {name: value for name, value in chosen.items() if len(menus[name]) > 1}
    if len(menus["file_system"]) > 1:
        fields.append(_boxes("file_system", "file systems", menus["file_system"], selection.file_systems))
    fields.append(menu("unit", "unit", [(unit, unit) for unit in menus["unit"]], selection.unit))
    return {
        "action": reverse("trend"),
        "label": "What the trend shows",
        "submit": "Show",
        "only_selects": True,
        "hidden": [*_hidden(selection, [field["name"] for field in fields]), (EARLIER_CHOICES, urlencode(was))],
        "fields": fields,
        "chips": [
            {
                "text": f"other {FIXED_LABELS[name]} too",
                "href": _href(selection.replace(vary=_without(selection, name))),
            }
            for name in selection.vary
        ],
    }


def _hidden(selection: TrendSelection, fields: Sequence[str]) -> list[tuple[str, str]]:
    """The pairs of the selection besides the form's fields, without `before`: another choice shows the newest runs."""
    return [pair for pair in selection.replace(before=None).pairs() if pair[0] not in fields]


def _without(selection: TrendSelection, name: str) -> tuple[str, ...]:
    return tuple(other for other in selection.vary if other != name)


def _parameter(name: str, value: Any) -> str:
    """A value as the query string has it."""
    if value is None:
        return ""
    return print_size(value) if name in SIZES else str(value)


def _boxes(name: str, label: str, values: Sequence[str], chosen: Sequence[str]) -> Context:
    listed = [{"value": value, "text": value, "selected": value in chosen} for value in values]
    return {"name": name, "label": label, "boxes": listed, "text": f"{len(chosen)} of {len(values)}"}
