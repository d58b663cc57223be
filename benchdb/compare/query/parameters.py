"""Reads the parameters of a query string and gathers everything that is wrong with them, as sentences."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from uuid import UUID

from django.http import QueryDict

from benchdb.wording.sizes import parse_size
from benchdb.wording.units import UNITS, unit_named

from .dimensions import METRIC_NAMES, NAMES, dimension, is_dimension

Names = tuple[str, ...]

MOST_DIMENSIONS = 3  # of an axis


def print_names(names: Names) -> str:
    """Names of dimensions as one parameter; commas inside the key of a label are escaped."""
    return ",".join(name.replace("%", "%25").replace(",", "%2C") for name in names)


def parse_names(text: str) -> Names:
    """The inverse of `print_names`."""
    return tuple(part.replace("%2C", ",").replace("%25", "%") for part in text.split(",") if part)


@dataclass
class Reader:
    """Each method reads a parameter, and gives its default where what is there cannot be. Empty ones are not there."""

    query: QueryDict
    faults: list[str] = field(default_factory=list)

    def texts(self, name: str) -> Names:
        """Its values without the empty ones, each once."""
        return tuple(dict.fromkeys(filter(None, self.query.getlist(name))))

    def text(self, name: str) -> str:
        """Its last value."""
        return str(self.query.get(name) or "")

    def choice(self, name: str, possible: Collection[str], default: str) -> str:
        """One of the possible."""
        value = self.text(name) or default
        if value not in possible:
            self.faults.append(f"{name} cannot be {value!r}; possible are {', '.join(filter(None, possible))}.")
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
        text = self.text(name)
        if text and not (text.isascii() and text.isdigit() and len(text) < 10):
            self.faults.append(f"{name} cannot be {text!r}; it is a whole number.")
            return None
        return int(text) if text else None

    def uuids(self, name: str) -> tuple[UUID, ...]:
        """Its ids, each once."""
        found: dict[UUID, None] = {}
        for text in self.texts(name):
            try:
                found[UUID(text)] = None
            except ValueError:
                self.faults.append(f"{name} cannot be {text!r}; it is an id such as those in the addresses of runs.")
        return tuple(found)

    def names(self, name: str, default: Names, none: str | None = None) -> Names:
        """Dimensions, with commas between them or as several parameters; `none` is a word for no dimension."""
        found = tuple(each for text in self.texts(name) for each in parse_names(text))
        if found == (none,):
            return found
        for each in found:
            if not is_dimension(each):
                self.faults.append(f"{name} cannot be {each!r}; possible are {', '.join(NAMES)}.")
        known = tuple(filter(is_dimension, found))
        if len(known) > MOST_DIMENSIONS:
            self.faults.append(f"{name} has {len(known)} dimensions; it can have {MOST_DIMENSIONS} at most.")
        return known[:MOST_DIMENSIONS] or default

    def units(self) -> Names:
        """The units, one of a base unit."""
        found: dict[str, str] = {}
        for text in self.texts("unit"):
            unit = unit_named(text)
            if unit is None:
                self.faults.append(f"unit cannot be {text!r}; possible are {', '.join(UNITS)}.")
            elif found.setdefault(unit.base, unit.name) != unit.name:
                self.faults.append(f"unit cannot be {found[unit.base]} and {unit.name}; one of them is enough.")
        return tuple(found.values())

    def share(self, name: str, default: float) -> float:
        """A share of 1: 0.05, or 5%."""
        text = self.text(name)
        percent = text.endswith("%")
        try:
            value = float(text.removesuffix("%")) / (100 if percent else 1) if text else default
        except ValueError:
            value = -1
        if not 0 < value <= 1:
            self.faults.append(f"{name} cannot be {text!r}; it is a share such as 0.05 or 5%, above 0 and at most 1.")
            return default
        return value

    def filters(self, others: Collection[str]) -> dict[str, Names]:
        """The values of every dimension that is a parameter; `others` are the parameters that are none."""
        names = [name for name in self.query if name not in others and is_dimension(name)]
        self.refuse_unknown({*others, *names}, [*others, *NAMES])
        return {name: values for name in names if (values := self._values(name))}

    def refuse_unknown(self, known: Collection[str], possible: Collection[str] = ()) -> None:
        """Parameters that are not known are faults; `possible` are those to name, where they are not all the known."""
        if unknown := sorted(set(self.query) - set(known)):
            listed = ", ".join(possible or sorted(known))
            self.faults.append(f"There is no parameter {', '.join(unknown)}; possible are {listed}.")

    def _values(self, name: str) -> Names:
        read: dict[str, None] = {}
        for text in self.texts(name):
            try:
                value = dimension(name).read(text)
            except ValueError as error:
                self.faults.append(f"{name}: {error}.")
                continue
            if name == "metric" and value not in METRIC_NAMES:
                self.faults.append(f"metric cannot be {value!r}; possible are {', '.join(METRIC_NAMES)}.")
                continue
            read[value] = None
        return tuple(read)
