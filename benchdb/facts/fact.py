"""The declaration of a fact: where it is stored, how it is printed and read, and everywhere that it appears."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any

from .dimension import Dimension
from .entries import EntryValue
from .guarding import Guarding
from .run import Run

TABLES = {"environment": "e", "target": "t", "": "f"}  # of the rows of facets, with their names in SQL


@dataclass(frozen=True, kw_only=True)
class Filter:
    """A fact as a filter of lists, in a `group` of filters.

    `sql` reads its value, or with `many` an array of its values; without it, the fact's own column does. `name`,
    `label` and `absent` are those of the fact unless a filter for one of many values has its own.
    """

    group: str
    sql: str = ""
    many: bool = False
    name: str = ""
    label: str = ""
    absent: str = ""


@dataclass(frozen=True)
class FormEntry:
    """A fact as a field of the import form, in a `group` of fields; `read` raises ValueError with what it expects.

    `section` and `pointer` say where it goes in a document; both are empty for facts of the storage stack, which
    only some layers have. `name` and `label` are those of the fact unless the form has its own.
    """

    group: str
    example: str
    read: Callable[[str], EntryValue]
    name: str = ""
    label: str = ""
    section: str = ""
    pointer: str = ""


@dataclass(frozen=True)
class Page:
    """A page for each value of a fact under the address `path`, or for each pair of its values and those of `beside`.

    `follow` are filters that the value decides, so they may differ in a pair of compared runs. Values that are not
    `compared` have no comparisons with each other.
    """

    path: str
    noun: str = ""
    beside: str = ""
    follow: tuple[str, ...] = ()
    compared: bool = True


@dataclass(frozen=True)
class Fact(Dimension):
    """A property of a run, declared once.

    `column` is the path of a column from a row of facets (`target__read_ahead`), `path` the place of the value in a
    stored environment or target (`target/read_ahead`), from which `store` derives the column if it is not the value
    itself. `of` is read from the column, else from the path, unless it is given; a fact without it is no dimension of
    comparisons.

    `chosen`: a setting that people choose for a machine. `place`: says where something was measured, so it separates
    rows and is compared only if nothing else is. `device`: also a setting of each disk. `filed`: a column of the file
    with all public results. `follow` are patterns of the guard's columns that necessarily change with it.
    """

    column: str = ""
    path: str = ""
    store: Callable[[Any], object] | None = None
    filter: Filter | None = None
    guard: Guarding | None = None
    entry: FormEntry | None = None
    page: Page | None = None
    chosen: bool = False
    place: bool = False
    device: bool = False
    filed: bool = True
    follow: str = ""

    def __post_init__(self) -> None:
        if self.of is None and (self.column or self.path):
            of = attrgetter(self.column.replace("__", ".")) if self.column else partial(_at_path, self.path)
            object.__setattr__(self, "of", of)

    @property
    def sql(self) -> str:
        """SQL for the value, over the tables of `TABLES`."""
        if self.filter is not None and self.filter.sql:
            return self.filter.sql
        section, _, name = (self.column or self.path).replace("/", "__", 1).rpartition("__")
        if self.column:
            return f"{TABLES[section]}.{name}"
        number = "::bigint" if self.kind in ("number", "size") else ""
        return f"({TABLES[section]}.facts #>> '{{{name.replace('/', ',')}}}'){number}"

    def stored_value(self, section: Mapping[str, object]) -> object:
        """The value of the column for a new environment or target with these facts."""
        return self.store(section) if self.store is not None else _at(section, self.path.partition("/")[2])


def _at_path(path: str, run: Run) -> object:
    """The value at `target/file_system/block_size`; None without one."""
    section, _, inside = path.partition("/")
    return _at(getattr(run, section).facts, inside)


def _at(section: Mapping[str, object], inside: str) -> object:
    found: Any = section
    for key in inside.split("/"):
        found = (found or {}).get(key)
    return found
