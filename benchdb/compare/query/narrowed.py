"""Narrows what runs measured by one choice of a dimension after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from benchagent.tools import TOOLS
from benchdb.facts.dimension import DimensionValue
from benchdb.runs.quantities.columns import BoolArray, Quantities

from .dimension_values import in_order, wanted_values
from .dimensions import dimension

SIZES = ("file_size", "record_size")
COLUMNS = ("test", "metric", "file_size", "record_size", "threads")  # the conditions of the query for results
MenuOptions = list[tuple[str, str]]  # (value in the query string, label)


def _number(value: DimensionValue) -> float:
    """A size or a number of threads; 0 for None."""
    return value if isinstance(value, int) else 0


# The choice among values with equally many runs: the largest file and record, the fewest threads.
PREFERENCE: dict[str, Callable[[DimensionValue], float]] = {
    "tool": lambda name: (tool := TOOLS.get(str(name))) is not None and tool.preferred,
    "test": lambda test: 0,
    "file_size": _number,
    "record_size": _number,
    # Any number is preferred to None, which the run's own time has beside the results of a tool.
    "threads": lambda threads: -(float("inf") if threads is None else _number(threads)),
}


@dataclass(frozen=True)
class Menu:
    """One choice on the page: its parameter, label, the chosen value and the possible (value, label) pairs."""

    name: str
    label: str
    chosen: str
    options: MenuOptions


@dataclass
class Narrowed:
    """The quantities of the runs, narrowed by one choice after another to the mask `left`.

    `kept` are the values left in filtered dimensions, `opened` the dimensions on axes.
    """

    quantities: Quantities
    left: BoolArray
    filters: dict[str, tuple[str, ...]]
    axes: frozenset[str]
    menus: list[Menu] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    kept: dict[str, set[DimensionValue]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def open_or_choose(self, name: str) -> None:
        """Keep all values of a dimension on an axis, or the selected ones; choose one value for any other dimension."""
        if name not in self.axes:
            self.choose(name)
            return
        self.opened.append(name)
        self.keep(name)

    def choose(self, name: str, preference: Callable[[DimensionValue], float] | None = None) -> None:
        """Keep only the first selected value, or the value that most runs have (ties: the greatest preference)."""
        options = _options(name, self.values(name))
        selected = self.filters.get(name, ())
        if name in SIZES and self._choose_size(name, options, selected):
            return
        self.keep(name)
        if len(selected) > 1:
            others = ", ".join(dict(options)[text] for text in selected[1:])
            self.notes.append(f"Of the {dimension(name).label} shown is the first; put it on an axis to see {others}.")
        chosen = (
            selected[0] if selected else dimension(name).parameter(self._most(name, preference or PREFERENCE[name]))
        )
        self.filters[name] = (chosen,)
        self.keep(name)
        self.menus.append(Menu(name, dimension(name).label, chosen, options))

    def _choose_size(self, name: str, options: MenuOptions, selected: Sequence[str]) -> bool:
        """Choose one size, and keep the tests that have no size at all: no choice is to be made for them.

        False if there are no such tests, or if sizes are selected and do not include `none`.
        """
        word = dimension(name).word
        sized = self.left & ~self.quantities.having(name, {None})
        tests = set(self.quantities.values("test", sized))
        unsized = self.left & ~sized & ~self.quantities.having("test", tests)
        sizes = [text for text in selected if text != word]
        if not sized.any() or not unsized.any() or (selected and (len(sizes) != 1 or word not in selected)):
            return False
        self.left = sized
        chosen = sizes[0] if sizes else dimension(name).parameter(self._most(name, PREFERENCE[name]))
        value = wanted_values(name, [chosen], self.values(name), "result")
        self.filters[name] = (chosen, word)
        self.kept[name] = {*value, None}
        self.left = (sized & self.quantities.having(name, value)) | unsized
        self.menus.append(
            Menu(name, dimension(name).label, chosen, [option for option in options if option[0] != word])
        )
        return True

    def _most(self, name: str, preference: Callable[[DimensionValue], float]) -> DimensionValue:
        weights = self.quantities.weights(name, self.fitting())
        return max(weights, key=lambda value: (weights[value], preference(value)))

    def fitting(self) -> BoolArray:
        """The mask with a possible selected value in every dimension, from which open parameters are chosen.

        All that are left if there is none; `keep` then reports the missing values.
        """
        mask = self.left
        for name in ("tool", *COLUMNS):
            if selected := self.filters.get(name):
                print_value = dimension(name).parameter
                possible = {value for value in self.values(name) if print_value(value) in selected}
                mask = mask & self.quantities.having(name, possible)
        return mask if mask.any() else self.left

    def keep(self, name: str) -> None:
        """Keep only a selected value. Raises ImpossibleSelection if no result has one of the selected values."""
        if selected := self.filters.get(name):
            self.kept[name] = wanted_values(name, selected, self.values(name), "result")
            self.left = self.left & self.quantities.having(name, self.kept[name])

    def values(self, name: str) -> list[DimensionValue]:
        """The values of this dimension that are left."""
        return self.quantities.values(name, self.left)

    def options_beside(self, name: str) -> MenuOptions:
        """The values that are possible with the other choices, selected or not."""
        mask = self.quantities.everything()
        for other, values in self.kept.items():
            if other != name:
                mask &= self.quantities.having(other, values)
        return _options(name, self.quantities.values(name, mask))


def _options(name: str, values: Sequence[DimensionValue]) -> MenuOptions:
    """The values of a dimension, each as the query string has it and as people read it."""
    of = dimension(name)
    return [(of.parameter(value), of.print(value)) for value in in_order(values)]
