"""A selection: which runs, pivoted how. It is the URL's query string and nothing else; parse and print are inverse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self
from urllib.parse import urlencode
from uuid import UUID

from django.http import QueryDict

from benchdb.runs.sizes import parse_size, print_size
from benchdb.runs.units import UNITS

from .dimensions import DIMENSIONS, METRIC_NAMES

MOST_RUNS = 200
SIZES = ("file_size", "record_size")
NO_SPLIT = "none"  # one table, where BenchDB would else split by record size


class ImpossibleSelection(ValueError):
    """The query string asks for something that cannot be; `faults` are sentences that say what would be possible."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        super().__init__(" ".join(faults))


class NothingThere(ImpossibleSelection):
    """It names a run or a campaign that is not there, or that this reader may not see: both answer the same."""


@dataclass(frozen=True)
class Selection:
    """Empty fields are chosen by BenchDB from what the runs have in common (`choices.complete`)."""

    runs: tuple[UUID, ...] = ()
    campaign: UUID | None = None
    rows: str = "file_system"
    columns: str = "test"
    split: str = ""
    metric: str = ""
    unit: str = ""
    baseline: str = ""
    tool: str = ""
    tests: tuple[str, ...] = ()
    file_size: int | None = None
    record_size: int | None = None
    threads: int | None = None

    def query(self) -> str:
        """The query string; fields with their default are left out."""
        return urlencode(self.pairs())

    def pairs(self) -> list[tuple[str, str]]:
        """The query string's pairs."""
        pairs: list[tuple[str, str]] = [("run", str(run)) for run in self.runs]
        if self.campaign is not None:
            pairs.append(("campaign", str(self.campaign)))
        for name in ("rows", "columns", "split", "metric", "unit", "baseline", "tool"):
            if (value := getattr(self, name)) != _DEFAULTS[name]:
                pairs.append((name, value))
        pairs += [("test", test) for test in self.tests]
        pairs += [(name, print_size(size)) for name in SIZES if (size := getattr(self, name)) is not None]
        if self.threads is not None:
            pairs.append(("threads", str(self.threads)))
        return pairs

    @classmethod
    def parse(cls, query: str) -> Self:
        """The selection of a query string. Raises ImpossibleSelection with every fault."""
        return cls.from_query(QueryDict(query))

    @classmethod
    def from_query(cls, query: QueryDict) -> Self:
        """The selection of Django's parsed query. Raises ImpossibleSelection with every fault."""
        reader = _Reader(query)
        selection = cls(
            runs=reader.uuids("run"),
            campaign=next(iter(reader.uuids("campaign")), None),
            rows=reader.choice("rows", DIMENSIONS, "file_system"),
            columns=reader.choice("columns", DIMENSIONS, "test"),
            split=reader.choice("split", {"": None, NO_SPLIT: None, **DIMENSIONS}, ""),
            metric=reader.choice("metric", ["", *METRIC_NAMES], ""),
            unit=reader.choice("unit", ["", *UNITS], ""),
            baseline=reader.text("baseline"),
            tool=reader.text("tool"),
            tests=tuple(dict.fromkeys(test for test in query.getlist("test") if test)),
            file_size=reader.size("file_size"),
            record_size=reader.size("record_size"),
            threads=reader.number("threads"),
        )
        reader.finish(selection)
        return selection

    def replace(self, **changes: Any) -> Self:
        """The same selection but for these fields."""
        return replace(self, **changes)


_DEFAULTS: Mapping[str, Any] = {item.name: item.default for item in fields(Selection)}
_PARAMETERS = {"run", "test"} | {item.name for item in fields(Selection)} - {"runs", "tests"}


@dataclass
class _Reader:
    """Reads parameters and gathers what is wrong with them."""

    query: QueryDict
    faults: list[str] = field(default_factory=list)

    def text(self, name: str) -> str:
        return str(self.query.get(name) or "")

    def choice(self, name: str, possible: Any, default: str) -> str:
        value = self.query.get(name, default)
        if value not in possible:
            self.faults.append(f"{name} cannot be {value!r}; possible are {', '.join(filter(None, possible))}.")
            return default
        return str(value)

    def uuids(self, name: str) -> tuple[UUID, ...]:
        found: dict[UUID, None] = {}
        for text in filter(None, self.query.getlist(name)):
            try:
                found[UUID(text)] = None
            except ValueError:
                self.faults.append(f"{name} cannot be {text!r}; it is an id such as those in the addresses of runs.")
        return tuple(found)

    def size(self, name: str) -> int | None:
        try:
            return parse_size(text) if (text := self.text(name)) else None
        except ValueError as error:
            self.faults.append(f"{name}: {error}.")
            return None

    def number(self, name: str) -> int | None:
        text = self.text(name)
        if text and not (text.isascii() and text.isdigit() and len(text) < 10):
            self.faults.append(f"{name} cannot be {text!r}; it is a whole number.")
            return None
        return int(text) if text else None

    def finish(self, selection: Selection) -> None:
        used = [name for name in (selection.rows, selection.columns, selection.split) if name]
        if len(set(used)) < len(used):
            self.faults.append("rows, columns and split must be three different dimensions.")
        if unknown := sorted(set(self.query) - _PARAMETERS):
            known = ", ".join(sorted(_PARAMETERS))
            self.faults.append(f"There is no parameter {', '.join(unknown)}; possible are {known}.")
        if len(selection.runs) > MOST_RUNS:
            self.faults.append(
                f"{len(selection.runs)} runs are more than a table can hold; choose {MOST_RUNS} at most."
            )
        if self.faults:
            raise ImpossibleSelection(self.faults)
