"""Reads the parameters of a comparison from a query string, with the wording of their faults."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from benchagent.formats.vocabulary import METRICS
from benchdb.query_string import QueryReader
from benchdb.wording.sizes import parse_size
from benchdb.wording.units import UNITS, possible, unit_named

from .dimensions import METRIC_NAMES, NAMES, dimension, is_dimension

MOST_DIMENSIONS = 8  # of an axis


def _whole_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ValueError(text)
    return int(text)


def print_names(names: tuple[str, ...]) -> str:
    """Names of dimensions as one parameter; commas inside the key of a label are escaped."""
    return ",".join(name.replace("%", "%25").replace(",", "%2C") for name in names)


def parse_names(text: str) -> tuple[str, ...]:
    """The inverse of `print_names`."""
    return tuple(name.replace("%2C", ",").replace("%25", "%") for name in text.split(",") if name)


class SelectionReader(QueryReader):
    """Each method reads a parameter of a comparison, and returns its default if the parameter is impossible."""

    def fault(self, name: str, text: str, expected: str) -> None:
        """Add the sentence that parameter `name` cannot be `text`; `expected` describes its possible values."""
        self.faults.append(f"{name} cannot be {text!r}; {expected}.")

    def choice(self, name: str, possible: Collection[str], default: str) -> str:
        """One of the possible values."""
        value = self.text(name) or default
        if value not in possible:
            self.fault(name, value, f"possible are {', '.join(filter(None, possible))}")
            return default
        return value

    def size(self, name: str) -> int | None:
        """Bytes, written as 64K or 65536."""
        try:
            return parse_size(text) if (text := self.text(name)) else None
        except ValueError as error:
            self.faults.append(f"{name}: {error}.")
            return None

    def number(self, name: str) -> int | None:
        """A whole number."""
        return self.parsed(name, _whole_number, "it is a whole number")

    def uuids(self, name: str) -> tuple[UUID, ...]:
        """Ids, each once."""
        return self.all_parsed(name, UUID, "it is an id such as those in the addresses of runs")

    def metric(self) -> str:
        """A metric, "" if it is left open."""
        return self.choice("metric", ["", *METRICS], "")

    def unit_of(self, metric: str) -> str:
        """A unit that the metric can be shown in, "" if it is left open; any unit if the metric is."""
        return self.choice("unit", ["", *(possible(METRICS[metric].unit) if metric else UNITS)], "")

    def names(self, name: str, default: tuple[str, ...], none: str | None = None) -> tuple[str, ...]:
        """Dimensions, separated by commas or in several parameters; `none` is the word for no dimension."""
        names = tuple(dimension_name for text in self.texts(name) for dimension_name in parse_names(text))
        if names == (none,):
            return names
        for unknown in (dimension_name for dimension_name in names if not is_dimension(dimension_name)):
            self.fault(name, unknown, f"possible are {', '.join(NAMES)}")
        dimensions = tuple(filter(is_dimension, names))
        if len(dimensions) > MOST_DIMENSIONS:
            self.faults.append(f"{name} has {len(dimensions)} dimensions; it can have {MOST_DIMENSIONS} at most.")
        return dimensions[:MOST_DIMENSIONS] or default

    def units(self) -> tuple[str, ...]:
        """Units, one of each base unit."""
        by_base: dict[str, str] = {}
        for text in self.texts("unit"):
            unit = unit_named(text)
            if unit is None:
                self.fault("unit", text, f"possible are {', '.join(UNITS)}")
            elif by_base.setdefault(unit.base, unit.name) != unit.name:
                self.faults.append(f"unit cannot be {by_base[unit.base]} and {unit.name}; one of them is enough.")
        return tuple(by_base.values())

    def share(self, name: str, default: float) -> float:
        """A share of 1: 0.05, or 5%."""
        text = self.text(name)
        percent = text.endswith("%")
        try:
            value = float(text.removesuffix("%")) / (100 if percent else 1) if text else default
        except ValueError:
            value = -1
        if not 0 < value <= 1:
            self.fault(name, text, "it is a share such as 0.05 or 5%, above 0 and at most 1")
            return default
        return value

    def filters(self, others: Collection[str]) -> dict[str, tuple[str, ...]]:
        """The values of every dimension that is a parameter; `others` are the parameters that are no dimensions."""
        names = [name for name in self.query if name not in others and is_dimension(name)]
        self.refuse_unknown({*others, *names}, [*others, *NAMES])
        return {name: values for name in names if (values := self._values(name))}

    def refuse_unknown(self, known: Collection[str], possible: Collection[str] = ()) -> None:
        """Add a fault for parameters that are not known; it names those in `possible`, by default the known ones."""
        if unknown := self.unknown(known):
            listed = ", ".join(possible or sorted(known))
            self.faults.append(f"There is no parameter {', '.join(unknown)}; possible are {listed}.")

    def _values(self, name: str) -> tuple[str, ...]:
        read: dict[str, None] = {}
        for text in self.texts(name):
            try:
                value = dimension(name).read(text)
            except ValueError as error:
                self.faults.append(f"{name}: {error}.")
                continue
            if name == "metric" and value not in METRIC_NAMES:
                self.fault("metric", value, f"possible are {', '.join(METRIC_NAMES)}")
                continue
            read[value] = None
        return tuple(read)
