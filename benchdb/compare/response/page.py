"""The contexts of the page of response curves."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlencode

from django.urls import reverse

from benchagent.formats.vocabulary import METRICS
from benchdb.compare.guard.levels import say_over
from benchdb.compare.kind import PageOptions
from benchdb.compare.page_parts.differences import show_differences
from benchdb.compare.page_parts.menus import EARLIER_CHOICES, menu
from benchdb.compare.page_parts.titles import page_of
from benchdb.compare.query.parameters import print_names
from benchdb.compare.query.selection import encode
from benchdb.wording.units import UNITS, possible
from benchdb.wording.words import metric_label

from . import present
from .content import ResponseContent
from .evaluate import ResponseMenus
from .picture import show_picture
from .selection import ResponseSelection

# Each parameter depends on those before it.
DEPENDENT = ("tool", "test", "over", "file_size", "record_size", "threads", "metric", "latency")


def response_page(content: ResponseContent, options: PageOptions) -> dict[str, object]:
    """The page of response curves, live or frozen: everything in the content."""
    return page_of(
        content,
        " ".join(present.knee_sentences(content)),
        knees=present.show_knees(content),
        picture=show_picture(content),
        table=present.show_table(content, options),
        differences=show_differences(content),
        shared=content.shared,
        warnings=present.show_warnings(content),
    )


def live_response(content: ResponseContent, menus: ResponseMenus) -> dict[str, object]:
    """The links of a live page."""
    selection = ResponseSelection.parse(content.query)

    def href(latency: str) -> str:
        return f"{reverse('response')}?{replace(selection, latency=latency).query()}"

    # A link to the curves with another latency; `here` is the current one.
    # What compare/response.html shows besides the curves: links to other latencies, and to a table of the
    # cells.
    return {
        "latencies": [
            {
                "text": metric_label(name).removeprefix("latency, "),
                "href": href(name),
                "here": name == content.latency.metric,
            }
            for name in menus.latencies
        ],
        "as_table": _as_table(content, selection),
    }


def _as_table(content: ResponseContent, selection: ResponseSelection) -> str:
    """The table of the same cells: rows are levels, columns the series, and each quantity has a part of its own."""
    own = ("over", "series", "metric", "latency")
    pairs = [pair for pair in selection.pairs() if pair[0] not in own]
    columns = content.series or ["file_system"]
    axes = [("rows", print_names((content.over,))), ("columns", print_names(tuple(columns))), ("split", "metric")]
    metrics = [("metric", content.throughput.metric), ("metric", content.latency.metric)]
    return f"{reverse('compare')}?{encode([*pairs, *axes, *metrics])}"


def choices_form(content: ResponseContent, menus: ResponseMenus) -> dict[str, object]:
    """The menus; a menu of one value is no choice."""
    selection = ResponseSelection.parse(content.query)
    over = [(print_names((name,)), say_over(name)) for name in menus.over]
    metrics = [(name, metric_label(name)) for name in menus.metrics]
    units = [(unit, unit) for unit in possible(METRICS[content.throughput.metric].unit)]
    fields = [
        *([menu("over", "over", over, print_names((content.over,)))] if len(over) > 1 else []),
        *(menu(each.name, each.label, each.options, each.chosen) for each in menus.others),
        *([menu("metric", "to the right", metrics, content.throughput.metric)] if len(metrics) > 1 else []),
        *([menu("unit", "unit", units, content.throughput.unit)] if len(units) > 1 else []),
    ]
    names = {field.name for field in fields}
    was = [(field.name, option.value) for field in fields for option in field.options or () if option.selected]
    return {
        "action": reverse("response"),
        "label": "What the curves show",
        "hidden": [*(pair for pair in _kept(selection) if pair[0] not in names), (EARLIER_CHOICES, urlencode(was))],
        "fields": fields,
        "only_selects": True,
    }


def _kept(selection: ResponseSelection) -> list[tuple[str, str]]:
    """The pairs that no menu has. Series are chosen anew, because another dimension may be the level."""
    return [
        (name, value)
        for name, value in selection.pairs()
        if name != "series" and not (name == "unit" and UNITS[value].base == "s")
    ]
