"""The menus above a comparison: a form that GETs the page again with another selection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from benchagent.formats.vocabulary import METRICS
from benchdb.compare.page_parts.menus import (
    EARLIER_CHOICES,
    ChoicesForm,
    FieldOption,
    FormField,
    kept_pairs,
    left_open,
    menu,
)
from benchdb.compare.query.dimensions import DIMENSIONS, dimension, is_dimension, joined, label_of
from benchdb.compare.query.narrowed import MenuOptions
from benchdb.compare.query.parameters import MOST_DIMENSIONS, print_names
from benchdb.compare.query.selection import AXES, MARGIN, NO_SPLIT, Selection, encode
from benchdb.wording.units import possible

from .complete import Choices
from .content import TableContent

# Each parameter depends on those before it: a file size chosen for one tool is meaningless for another.
DEPENDENT = ("tool", "metric", "test", "file_size", "record_size", "threads", "params")

OPEN = "open:"  # in EARLIER_CHOICES, the prefix of a dimension with all of its values; its value is their number
EXPLICIT = "explicit"  # in EARLIER_CHOICES: whether the reader chose the factor
MARGINS = (0.01, 0.02, 0.03, MARGIN, 0.1, 0.2)
STATISTICS = [("mean", "mean"), ("median", "median"), ("minimum", "smallest"), ("maximum", "largest")]
CORRECTIONS = [("benjamini_hochberg", "Benjamini–Hochberg"), ("holm", "Holm")]
DEFAULTS = {"statistic": STATISTICS[0][0], "margin": str(MARGIN), "correction": CORRECTIONS[0][0]}


def choices_form(choices: Choices, content: TableContent) -> ChoicesForm:
    """The context of web/partials/choices.html: the usual fields, and the rest folded."""
    selection = choices.selection
    labels = dict.fromkeys(_factor_labels(content))
    # A menu of one value is no choice.
    menus = [
        menu(choice.name, choice.label, choice.options, choice.chosen)
        for choice in choices.menus
        if len(choice.options) > 1
    ]
    fields = [
        *(_axis(name, choices) for name in AXES),
        *menus,
        *(_boxes(name, options, selection) for name, options in choices.all_boxes.items() if name in selection.axes),
        *_units(choices),
        menu("baseline", "baseline", [(label, label) for label in labels], content.baseline),
    ]
    more = [
        *(_second(name, choices) for name in AXES if name != "split" or selection.split_names),
        *(
            _boxes(name, options, selection)
            for name, options in choices.all_boxes.items()
            if name not in selection.axes
        ),
        *_factor(selection),
        menu("statistic", "large number", STATISTICS, selection.statistic),
        menu("margin", "equivalent within", _margins(selection.margin), str(selection.margin)),
        menu("correction", "correction", CORRECTIONS, selection.correction),
    ]
    runs = [pair for pair in selection.pairs() if pair[0] in ("run", "campaign")]
    return ChoicesForm(
        action=reverse("compare"),
        label="What the table shows",
        hidden=[*runs, (EARLIER_CHOICES, urlencode(_was(choices)))],
        fields=fields,
        more=more,
        changed=_is_changed(choices.asked, more),
    )


def _was(choices: Choices) -> list[tuple[str, str]]:
    """The choices that the page was built with, from which `settle` finds the changed ones."""
    selection = choices.selection
    was = [(menu.name, menu.chosen) for menu in choices.menus]
    was += [(axis, print_names(getattr(selection, axis))) for axis in AXES]
    was += [("factor", print_names(selection.factor_names)), (EXPLICIT, "factor" if choices.asked.factor else "")]
    was += [
        (f"{OPEN}{name}", str(len(options)))
        for name, options in choices.all_boxes.items()
        if not selection.filter(name)
    ]
    return was


def _factor_labels(content: TableContent) -> list[str]:
    """The possible labels of the baseline, from the axis with the factor."""
    names = content.factor.names
    parts = [part for group in content.groups for part in (group, *group.rows)] + content.heads
    labels_of_parts = [part.parts for part in parts if set(names) <= set(part.parts)]
    return [joined({name: labels[name] for name in names}) for labels in labels_of_parts] or [content.baseline]


def _axis(name: str, choices: Choices) -> FormField:
    """The menu of the first dimension of an axis, without the dimensions of the other axes."""
    names = getattr(choices.selection, name)
    first = names[0] if names else NO_SPLIT
    none = [(NO_SPLIT, "none")] if name == "split" else []
    return menu(name, name, [*none, *_dimensions(choices, first)], print_names((first,)))


def _second(name: str, choices: Choices) -> FormField:
    """The menu of the further dimensions of an axis, a second field of the same parameter."""
    names = getattr(choices.selection, name)
    rest = print_names(names[1:])
    several = [(rest, label_of(names[1:]))] if len(names) > 2 else []
    options = [
        ("", "nothing"),
        *several,
        *_dimensions(choices, names[1] if len(names) == MOST_DIMENSIONS - 1 else ""),
    ]
    return replace(menu(name, f"{name}, then by", options, rest), id=f"{name}-then")


def _dimensions(choices: Choices, selected: str) -> MenuOptions:
    """The dimensions on no axis, and the field's own; of labels and options, only those in which the runs differ."""
    listed = [*DIMENSIONS, *choices.keyed]
    if is_dimension(selected) and selected not in listed:
        listed.append(selected)
    free = [name for name in listed if name == selected or name not in choices.selection.axes]
    return [(print_names((name,)), dimension(name).label) for name in free]


def _boxes(name: str, options: MenuOptions, selection: Selection) -> FormField:
    """Check boxes of the values that can be left out."""
    selected = selection.filter(name) or tuple(value for value, _ in options)
    texts = dict(options)
    # The selected values come first, in their order, so that the form keeps the order.
    ordered = [*(value for value in selected if value in texts), *(value for value in texts if value not in selected)]
    listed = [FieldOption(value, texts[value], value in selected) for value in ordered]
    number = sum(value in selected for value in ordered)
    text = ("both" if number == 2 else f"all {number}") if number == len(listed) else f"{number} of {len(listed)}"
    return FormField(name, dimension(name).label, boxes=listed, text=text)


def _units(choices: Choices) -> list[FormField]:
    """A menu of units for each base unit in the table."""
    by_base = {METRICS[metric].unit: unit for metric, unit in choices.units.items()}
    menus: list[FormField] = []
    for base, unit in by_base.items():
        options = [(name, name) for name in possible(base)]
        if len(options) > 1:
            menus.append(replace(menu("unit", "unit", options, unit), id=f"unit-{len(menus)}"))
    return menus


def _factor(selection: Selection) -> list[FormField]:
    """The menu of the factor, if several axes can be the factor."""
    axes = (selection.factor_names, selection.rows, selection.columns, selection.split_names)
    groups = dict.fromkeys(tuple(name for name in names if name != "metric") for names in axes)
    options = [(print_names(names), label_of(names)) for names in groups if names]
    chosen = print_names(selection.factor_names)
    return [menu("factor", "compared", options, chosen)] if len(options) > 1 else []


def _margins(chosen: float) -> MenuOptions:
    return [(str(margin), f"± {100 * margin:g} %") for margin in sorted({*MARGINS, chosen})]


def _is_changed(selection: Selection, more: list[FormField]) -> bool:
    """Whether a folded field differs from the default, so that the fold must be open."""
    plain = Selection()
    names = ("statistic", "margin", "correction", "factor")
    if any(getattr(selection, name) != getattr(plain, name) for name in names):
        return True
    return any(not box.selected for field in more for box in field.boxes or ())


def settle(query: QueryDict, made_as: str) -> str:
    """The query string of the form: a choice is left open again if it depends on one that was changed.

    `made_as` is the form's EARLIER_CHOICES. Defaults are left out too, so that the address is short.
    """
    was = QueryDict(made_as)
    axes = {axis: _joined(query, axis) for axis in AXES if axis in query}
    dropped = left_open(query, was, [name for name in DEPENDENT if name in query])
    dropped |= _without_place(query, was, axes) | _of_factor(query, was) | _whole_boxes(query, was)
    pairs = kept_pairs(query, {*dropped, *AXES}, DEFAULTS)
    return encode([*pairs, *((axis, names) for axis, names in axes.items() if names)])


def _joined(query: QueryDict, axis: str) -> str:
    """The dimensions of an axis from its two menus, each once."""
    names = dict.fromkeys(name for text in query.getlist(axis) for name in text.split(",") if name)
    if len(names) > 1:
        names.pop(NO_SPLIT, None)
    return ",".join(names)


def _without_place(query: QueryDict, was: QueryDict, axes: Mapping[str, str]) -> set[str]:
    """The parameters to drop after a change of axes: baseline, factor, and dimensions off the axes with several values.

    The values were chosen for an axis; without it they would compete for a cell.
    """
    if not any(axis in was and was[axis] != names for axis, names in axes.items()):
        return set()
    placed = {name for names in axes.values() for name in names.split(",")}
    crowded = {name for name in DEPENDENT if len(query.getlist(name)) > 1 and name not in placed}
    return {"baseline", "factor", *crowded}


def _of_factor(query: QueryDict, was: QueryDict) -> set[str]:
    """The baseline if the factor was changed, or the factor if the reader did not choose it."""
    if "factor" in was and "factor" in query and was["factor"] != query["factor"]:
        return {"baseline"}
    return {"factor"} if was.get(EXPLICIT) == "" else set()


def _whole_boxes(query: QueryDict, was: QueryDict) -> set[str]:
    """The dimensions with all values still ticked."""
    return {name for name in query if str(len(query.getlist(name))) == was.get(f"{OPEN}{name}")}
