"""The menus of a comparison, and the query string of their form."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict

EARLIER_CHOICES = "was"  # the form's parameter with the choices that the page was built with
ONLY = "only"  # the form's parameter of the button that leaves one value of a dimension: `only=test=read`
OF_UNIT = {"tool", "metric"}  # the choices that the unit depends on


@dataclass(frozen=True, slots=True)
class FieldOption:
    """A value that can be chosen, as the query string has it and as people read it."""

    value: str
    text: str
    selected: bool


@dataclass(frozen=True, slots=True)
class FormField:
    """A field of web/partials/choices.html: a menu of `options`, or check `boxes` with a summary as `text`.

    `id` is for a field whose name occurs twice. `only` is the parameter of the buttons that leave a single value, and
    `single` the value that is left already.
    """

    name: str
    label: str
    options: Sequence[FieldOption] | None = None
    boxes: Sequence[FieldOption] | None = None
    text: str = ""
    id: str | None = None
    only: str = ""
    single: str = ""


@dataclass(frozen=True, slots=True)
class FieldGroup:
    """Fields in a line after their common label, with a link after the first field."""

    label: str
    fields: Sequence[FormField]
    link: dict[str, object] | None = None


def menu(name: str, label: str, options: Sequence[tuple[str, str]], chosen: str) -> FormField:
    """A field with one value, of these (value, text) pairs."""
    return FormField(name, label, [FieldOption(value, text, value == chosen) for value, text in options])


def left_open(query: QueryDict, was: QueryDict, dependent: Sequence[str]) -> set[str]:
    """The parameters that are no longer chosen because another choice was changed.

    Each of the parameters in `dependent` depends on those before it. `was` holds the choices that the page was built
    with.
    """
    changed = [name for name in dependent if name in was and query.get(name, "") != was[name]]
    if not changed:
        return set()
    after = dependent[dependent.index(changed[0]) + 1 :]
    return {*after, "unit"} if OF_UNIT & set(changed) else set(after)


def kept_pairs(query: QueryDict, dropped: Collection[str], defaults: Mapping[str, str]) -> list[tuple[str, str]]:
    """The pairs of the query without dropped parameters, empty ones, defaults and the form's memory."""
    kept = [name for name in query if name != EARLIER_CHOICES and name not in dropped]
    pairs = [(name, value) for name in kept for value in query.getlist(name)]
    return [(name, value) for name, value in pairs if value and defaults.get(name) != value]


def settle(query: QueryDict, dependent: Sequence[str], defaults: Mapping[str, str] | None = None) -> str:
    """The query string of the form, without the parameters that `left_open` leaves open."""
    dropped = left_open(query, QueryDict(query.get(EARLIER_CHOICES, "")), dependent)
    return urlencode(kept_pairs(query, dropped, defaults or {}))
