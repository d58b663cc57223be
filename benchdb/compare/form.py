"""The menus over a comparison: a form that GETs the page again with another selection."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from benchdb.runs.units import UNITS, possible

from .choices import Choices
from .dimensions import DIMENSIONS
from .selection import NO_SPLIT, Selection

Context = dict[str, Any]

AXES = {"rows": "rows", "columns": "columns", "split": "split"}
# Each depends on those before it: what was chosen of a file size means nothing with another tool.
DEPENDENT = ("tool", "metric", "test", "file_size", "record_size", "threads")
WAS = "was"  # the form's parameter that says what these were when the page was made
TESTS = "tests"  # in it: how many tests there were to choose from


def choices_form(choices: Choices, row_labels: list[str], baseline: str) -> Context:
    """The context of web/partials/choices.html."""
    selection = choices.selection
    # A menu of one value is no choice.
    menus = [
        _field(each.name, each.label, each.options, each.chosen) for each in choices.menus if len(each.options) > 1
    ]
    fields = [
        *(_axis(name, selection) for name in AXES),
        *menus,
        *([_tests(choices)] if len(choices.tests) > 1 else []),
        _field("unit", "unit", [(name, name) for name in possible(UNITS[choices.unit].base)], choices.unit),
        _field("baseline", "baseline", [(label, label) for label in row_labels], baseline),
    ]
    runs = [pair for pair in selection.pairs() if pair[0] in ("run", "campaign")]
    was = [(menu.name, menu.chosen) for menu in choices.menus]
    was += [("rows", selection.rows), (TESTS, str(len(choices.tests)))]
    return {
        "action": reverse("compare"),
        "label": "What the table shows",
        "submit": "Show",
        "reset": None,
        "only_selects": True,
        "hidden": [*runs, (WAS, urlencode(was))],
        "fields": fields,
        "chips": [],
    }


def _field(name: str, label: str, options: list[tuple[str, str]], chosen: str) -> Context:
    listed = [{"value": value, "text": text, "selected": value == chosen} for value, text in options]
    return {"name": name, "label": label, "options": listed}


def _axis(name: str, selection: Selection) -> Context:
    """A menu of dimensions without those that the other axes have."""
    chosen = getattr(selection, name)
    taken = {getattr(selection, other) for other in AXES if other != name}
    options = [(dimension.name, dimension.label) for dimension in DIMENSIONS.values() if dimension.name not in taken]
    none = [(NO_SPLIT, "none")] if name == "split" else []
    return _field(name, AXES[name], [*none, *options], chosen or NO_SPLIT)


def _tests(choices: Choices) -> Context:
    shown = set(choices.selection.tests) or {value for value, _ in choices.tests}
    listed = [{"value": value, "text": text, "selected": value in shown} for value, text in choices.tests]
    text = f"all {len(listed)}" if len(shown) == len(listed) else f"{len(shown)} of {len(listed)}"
    return {"name": "test", "label": "tests", "boxes": listed, "text": text}


def settle(query: QueryDict, made_as: str) -> str:
    """The query string that the form means: what depends on a choice that was changed is left open again.

    `made_as` is what the form's WAS says. Empty parameters go too: the address is as short as one written by hand.
    """
    was = QueryDict(made_as)
    changed = next((i for i, name in enumerate(DEPENDENT) if _changed(name, was, query)), len(DEPENDENT))
    dropped = {WAS, *DEPENDENT[changed + 1 :]}
    if _changed("metric", was, query) or _changed("tool", was, query):
        dropped.add("unit")
    if _changed("rows", was, query):
        dropped.add("baseline")
    if str(len(query.getlist("test"))) == was.get(TESTS):
        dropped.add("test")
    return _without(query, dropped)


def settle_surface(query: QueryDict, made_as: str) -> str:
    """The same for the form of a surface: with another metric its unit is left open again."""
    dropped = {WAS, "unit"} if _changed("metric", QueryDict(made_as), query) else {WAS}
    return _without(query, dropped)


def _without(query: QueryDict, dropped: set[str]) -> str:
    kept = [name for name in query if name not in dropped]
    return urlencode([(name, value) for name in kept for value in query.getlist(name) if value])


def _changed(name: str, was: QueryDict, query: QueryDict) -> bool:
    return name in was and name in query and was[name] != query[name]
