"""The contexts of the page of a trend."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import urlencode

from django.urls import reverse

from benchdb.compare.kind import PageOptions
from benchdb.compare.page_parts.menus import EARLIER_CHOICES, FieldOption, FormField, menu
from benchdb.compare.page_parts.titles import page_of
from benchdb.facts.dimension import DimensionValue
from benchdb.wording.sizes import print_size

from . import present as trend_present
from .chart import show_chart
from .complete import LABELS, Menus, say
from .content import TrendContent
from .selection import AXES, FIXED, TrendSelection

SIZES = ("file_size", "record_size")
# Each parameter depends on those before it: a file size chosen for one test is meaningless for another.
DEPENDENT = ("metric", "test", *SIZES, "threads", "params")


def trend_page(content: TrendContent, options: PageOptions) -> dict[str, object]:
    """The page of a trend, live or frozen: everything in the content."""
    return page_of(
        content,
        points=trend_present.show_points(content),
        statements=trend_present.show_statements(content),
        chart=show_chart(content),
        table=trend_present.show_table(content, options),
    )


def live_trend(content: TrendContent) -> dict[str, object]:
    """The links of a live page."""
    selection = TrendSelection.parse(content.query)
    return {
        "wider": list(_wider(content, selection)),
        "older": _href(selection.replace(before=content.older)) if content.older else None,
        "newest": _href(selection.replace(before=None)) if selection.before else None,
        "feed": f"{reverse('trend-feed')}?{selection.replace(before=None).query()}",
        "watch": f"{reverse('watch-new')}?{content.query}",
    }


def _wider(content: TrendContent, selection: TrendSelection) -> Iterator[dict[str, object]]:
    """Links that add more runs: each lets settings vary in which other runs of a file system differ."""
    for series in content.series:
        for other in series.others[:3]:
            vary = (*selection.vary, *(name for name in other.names if name not in selection.vary))
            text = f"{other.runs} more on {series.label} with other {other.label}"
            yield {"text": text, "href": _href(selection.replace(vary=vary))}


def _href(selection: TrendSelection) -> str:
    return f"{reverse('trend')}?{selection.query()}"


def choices_form(content: TrendContent, menus: Menus) -> dict[str, object]:
    """The menus; a menu of one value is no choice."""
    selection = TrendSelection.parse(content.query)
    fields = [menu("by", "over", [(name, label) for name, label in AXES.items()], selection.by)]
    chosen = {name: _parameter(name, getattr(selection, name)) for name in DEPENDENT}
    for name in DEPENDENT:
        if len(menus[name]) > 1:
            options = [(_parameter(name, value), say(name, value)) for value in menus[name]]
            fields.append(menu(name, LABELS[name], options, chosen[name]))
    was = {name: value for name, value in chosen.items() if len(menus[name]) > 1}
    if len(menus["file_system"]) > 1:
        fields.append(_boxes("file_system", "file systems", [*map(str, menus["file_system"])], selection.file_systems))
    fields.append(menu("unit", "unit", [(str(unit), str(unit)) for unit in menus["unit"]], selection.unit))
    # Without `before`: another choice shows the newest runs.
    names = {field.name for field in fields}
    hidden = [pair for pair in selection.replace(before=None).pairs() if pair[0] not in names]
    return {
        "action": reverse("trend"),
        "label": "What the trend shows",
        "hidden": [*hidden, (EARLIER_CHOICES, urlencode(was))],
        "fields": fields,
        "chips": [
            {
                "text": f"other {FIXED[name].label} too",
                "href": _href(selection.replace(vary=tuple(other for other in selection.vary if other != name))),
            }
            for name in selection.vary
        ],
        "only_selects": True,
    }


def _parameter(name: str, value: DimensionValue) -> str:
    """A value as the query string has it."""
    if value is None:
        return ""
    return print_size(value) if name in SIZES and isinstance(value, int) else str(value)


def _boxes(name: str, label: str, values: Sequence[str], chosen: Sequence[str]) -> FormField:
    listed = [FieldOption(value, value, value in chosen) for value in values]
    return FormField(name, label, boxes=listed, text=f"{len(chosen)} of {len(values)}")
