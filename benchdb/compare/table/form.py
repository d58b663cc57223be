"""The menus above a comparison: a form that GETs the page again with another selection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from urllib.parse import urlencode

from django.urls import reverse

from benchagent.formats.vocabulary import METRICS
from benchdb.compare.page_parts.menus import (
    EARLIER_CHOICES,
    ONLY,
    FieldGroup,
    FieldOption,
    FormField,
    menu,
)
from benchdb.compare.query.dimensions import DIMENSIONS, dimension, is_dimension, joined, label_of
from benchdb.compare.query.narrowed import MenuOptions
from benchdb.compare.query.parameters import MOST_DIMENSIONS, print_names
from benchdb.compare.query.selection import AXES, MARGIN, NO_SPLIT, Selection, encode
from benchdb.wording.units import possible

from .complete import Choices
from .content import TableContent
from .sorting.differing import SHOW

# Each parameter depends on those before it: a file size chosen for one tool is meaningless for another.
DEPENDENT = ("tool", "metric", "test", "file_size", "record_size", "threads", "params")

OPEN = "open:"  # in EARLIER_CHOICES, the prefix of a dimension with all of its values; its value is their number
EXPLICIT = "explicit"  # in EARLIER_CHOICES: whether the reader chose the factor
SORTED = "sorted"  # in EARLIER_CHOICES: the fields with which the rows were sorted
HIDDEN = ("run", "campaign", "sort")  # parameters without a field
OF_DISPLAY = ("unit", "baseline", "statistic", "margin", "correction", SHOW)  # they change no column
MARGINS = (0.01, 0.02, 0.03, MARGIN, 0.1, 0.2)
STATISTICS = [("mean", "mean"), ("median", "median"), ("minimum", "smallest"), ("maximum", "largest")]
CORRECTIONS = [("benjamini_hochberg", "Benjamini–Hochberg"), ("holm", "Holm")]
DEFAULTS = {"statistic": STATISTICS[0][0], "margin": str(MARGIN), "correction": CORRECTIONS[0][0]}


def choices_form(choices: Choices, content: TableContent, show: Sequence[str] = ()) -> dict[str, object]:
    """The context of web/partials/choices.html: baseline, unit and single values in a line, the rest folded.

    `show` is what the address shows besides, which the form keeps.
    """
    selection = choices.selection
    boxes = {name: _boxes(name, options, selection) for name, options in choices.all_boxes.items()}
    more = [
        *(field for name, field in boxes.items() if name not in selection.axes),
        *(_second(name, choices) for name in AXES if name != "split" or selection.split_names),
        *_factor(selection),
        menu(
            "margin",
            "equivalent within",
            [(str(margin), f"± {100 * margin:g} %") for margin in sorted({*MARGINS, selection.margin})],
            str(selection.margin),
        ),
        menu("correction", "correction", CORRECTIONS, selection.correction),
    ]
    labels = dict.fromkeys(_factor_labels(content))
    baseline = menu("baseline", "against", [(label, label) for label in labels], content.baseline)
    fields = [
        *([baseline] if len(labels) > 1 else []),
        *_units(choices),
        *(
            menu(choice.name, choice.label, choice.options, choice.chosen)
            for choice in choices.menus
            if len(choice.options) > 1  # a menu of one value is no choice; the title has the value
        ),
    ]
    groups = _groups(choices, [field for name, field in boxes.items() if name in selection.axes])
    was = [
        *_was(choices, content),
        *_sorted_as(selection, [*fields, *(field for group in groups for field in group.fields), *more]),
    ]
    return {
        "action": reverse("compare"),
        "label": "What the table shows",
        "hidden": [
            *(pair for pair in selection.pairs() if pair[0] in HIDDEN),
            *((SHOW, name) for name in show),
            (EARLIER_CHOICES, urlencode(was)),
        ],
        "fields": fields,
        "groups": groups,
        "more": more,
        "hint": _hint(choices, content),
        "only_selects": True,
    }


def _groups(choices: Choices, varying: Sequence[FormField]) -> list[FieldGroup]:
    """The groups of usual folded fields; `varying` are the dimensions that the table shows several values of."""
    statistic = menu("statistic", "statistic", STATISTICS, choices.selection.statistic)
    groups = [
        FieldGroup("what", varying),
        FieldGroup("layout", [_axis(name, choices) for name in AXES], _exchange(choices.selection)),
        FieldGroup("display", [statistic]),
    ]
    return [group for group in groups if group.fields]


def _hint(choices: Choices, content: TableContent) -> dict[str, object] | None:
    """What to do if the factor has a single value, so that nothing is compared."""
    if len(dict.fromkeys(_factor_labels(content))) > 1:
        return None
    links = []
    for name in choices.selection.factor_names:
        number, chosen = len(choices.all_boxes.get(name, ())), choices.asked.filter(name)
        if 0 < len(chosen) < number:
            others = {other: values for other, values in choices.asked.filters.items() if other != name}
            href = f"{reverse('compare')}?{choices.asked.replace(filters=others, baseline='', sort='').query()}"
            links.append({"text": f"Show all {number} ({dimension(name).label})", "href": href})
    text = f"Nothing is compared: the table has one {content.factor.label}."
    # What a selection lacks, with links that lead on.
    return {"text": text, "links": [*links, {"text": "Choose more runs", "href": reverse("runs")}]}


def _exchange(selection: Selection) -> dict[str, object]:
    """The link to the same table with rows and columns exchanged; the factor stays."""
    turned = selection.replace(rows=selection.columns, columns=selection.rows, factor=selection.factor_names, sort="")
    return {"text": "Exchange rows and columns", "href": f"{reverse('compare')}?{turned.query()}", "sign": "⇄"}


def _was(choices: Choices, content: TableContent) -> list[tuple[str, str]]:
    """The choices that the page was built with, from which `settle` finds the changed ones."""
    selection = choices.selection
    was = [(menu.name, menu.chosen) for menu in choices.menus]
    was += [(axis, print_names(getattr(selection, axis))) for axis in AXES]
    was += [("factor", print_names(selection.factor_names)), (EXPLICIT, "factor" if choices.asked.factor else "")]
    was += [] if choices.asked.baseline else [("baseline", content.baseline)]
    was += [
        (f"{OPEN}{name}", str(len(options)))
        for name, options in choices.all_boxes.items()
        if not selection.filter(name)
    ]
    return was


def _sorted_as(selection: Selection, fields: Iterable[FormField]) -> list[tuple[str, str]]:
    """The fields of a sorted table in EARLIER_CHOICES."""
    chosen = [
        (field.name, option.value)
        for field in fields
        for option in field.options or field.boxes or ()
        if option.selected
    ]
    return [(SORTED, columns_of(chosen))] if selection.sort else []


def columns_of(chosen: Iterable[tuple[str, str]]) -> str:
    """The fields that can change the columns of a table, as one text; the sort of its rows lasts as long as they do."""
    others = {*HIDDEN, *OF_DISPLAY, EARLIER_CHOICES}
    return encode(sorted((name, value) for name, value in chosen if value and name not in others))


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
    single = ordered[0] if number == 1 else ""
    return FormField(name, dimension(name).label, boxes=listed, text=text, only=ONLY, single=single)


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
