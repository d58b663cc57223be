"""The query string of a list of runs: reads it, collects all its faults, and writes it again."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from uuid import UUID

from django.http import QueryDict

from benchdb.facts.dimension import DimensionValue
from benchdb.query_string import QueryReader
from benchdb.wording.sizes import parse_size, print_size

from .columns import COLUMNS, SORTS, USUAL, SortKey
from .filters import FACETS, RANGES

LONGEST = 400  # characters of a value
MOST_VALUES = 100  # of a facet
MOST_WORDS = 10  # that are searched: PostgreSQL looks for each in all columns of all rows
MOST_CHARACTERS = 8_000  # of all values: every link of the page contains every filter in force
PAGING = ("after", "at")
FIND = "find_"  # before the name of a facet
DATES = {"since": "from", "until": "to"}
Range = tuple[int | None, int | None]
Parameter = tuple[str, str]


@dataclass(frozen=True)
class RunListQuery:
    """Filters, order, columns and page. `facets` have values, None for no value.

    `finds` are the texts in the search fields of facets, for facets with too many values to offer all of them.
    `after` is the last run of the previous page, `at` its value in the sorted column.
    """

    facets: Mapping[str, tuple[DimensionValue, ...]] = field(default_factory=dict)
    ranges: Mapping[str, Range] = field(default_factory=dict)
    words: str = ""
    since: date | None = None
    until: date | None = None
    campaign: UUID | None = None
    finds: Mapping[str, str] = field(default_factory=dict)
    sort: str = ""
    columns: tuple[str, ...] = USUAL
    after: UUID | None = None
    at: SortKey = ""

    def pairs(self, without: Collection[str] = ()) -> list[Parameter]:
        """The parameters of the canonical query string of this query, `without` some of them."""
        sizes = [(f"{name}_{end}", size) for name in RANGES for end, size in self._ends(name)]
        parameters = [
            ("q", self.words),
            *((name, FACETS[name].parameter(value)) for name in FACETS for value in self.facets.get(name, ())),
            *((name, "" if size is None else print_size(size)) for name, size in sizes),
            *((name, str(getattr(self, name) or "")) for name in ("since", "until", "campaign", "sort")),
            *((("column", name) for name in self.columns) if self.columns != USUAL else ()),
            *((FIND + name, text) for name, text in self.finds.items()),
            ("after", str(self.after or "")),
            ("at", self.at.isoformat() if isinstance(self.at, datetime) else str(self.at)),
        ]
        return [(name, value) for name, value in parameters if value and name not in without]

    def _ends(self, name: str) -> list[tuple[str, int | None]]:
        return list(zip(("min", "max"), self.ranges.get(name, (None, None)), strict=True))

    @property
    def filters(self) -> list[Parameter]:
        """The parameters that select runs."""
        return self.pairs(without=("sort", "column", *(FIND + name for name in self.finds), *PAGING))


EVERY_RUN = RunListQuery()


class RunListReader(QueryReader):
    """Each method reads a parameter of a list of runs; an impossible value is a fault and is left out."""

    def fault(self, name: str, text: str, expected: str) -> None:
        """Add the sentence that the filter `name` cannot be `text`; `expected` is a sentence of its own."""
        label = DATES.get(name) or name.replace("_", " ")
        self.faults.append(f"The filter “{label}” cannot be “{text}”. {expected}")

    def texts(self, name: str) -> tuple[str, ...]:
        """The values within the limit of length, without empty ones, each once."""
        values = super().texts(name)
        for text in values:
            if "\x00" in text:
                self.fault(name, text.replace("\x00", "�"), "Null characters are not allowed.")
            elif len(text) > LONGEST:
                self.fault(name, text[:20] + "…", f"It has more than {LONGEST} characters.")
        if len(values) > MOST_VALUES:
            self.fault(name, f"{len(values)} values", f"It takes {MOST_VALUES} at most.")
        return tuple(text for text in values if "\x00" not in text and len(text) <= LONGEST)[:MOST_VALUES]

    def text(self, name: str) -> str:
        """The last value that is not empty."""
        return next(reversed(self.texts(name)), "")

    def facet(self, name: str) -> tuple[DimensionValue, ...]:
        values: dict[DimensionValue, None] = {}
        for text in self.texts(name):
            try:
                values[FACETS[name].value(text)] = None
            except ValueError as error:
                self.fault(name, text, f"{error}.")
        return tuple(values)

    def size(self, name: str) -> int | None:
        return self.parsed(name, parse_size, "It is a size such as 64K or 8G.")

    def day(self, name: str) -> date | None:
        return self.parsed(name, date.fromisoformat, "It is a date such as 2026-11-20.")

    def uuid(self, name: str, noun: str) -> UUID | None:
        return self.parsed(name, UUID, f"It is the id of {noun}.")

    def sort(self) -> str:
        text = self.text("sort")
        if text in ("", "oldest") or text.removeprefix("-") in SORTS:
            return text
        self.fault("sort", text, f"Possible are oldest, {', '.join(SORTS)}, and each with a minus before it.")
        return ""

    def at(self, sort: str) -> SortKey:
        """The value that the last run of the page before had in the column of the order."""
        order, text = SORTS.get(sort.removeprefix("-")), self.text("at")
        try:
            return order.read(text) if order and (text or order.empty != "") and self.text("after") else text
        except ValueError:
            self.fault("at", text, "It comes with the link to the next page.")
            return ""

    def columns(self) -> tuple[str, ...]:
        found = self.texts("column")
        if unknown := [text for text in found if text not in COLUMNS]:
            self.fault("column", ", ".join(unknown), f"Possible are {', '.join(COLUMNS)}.")
        return tuple(name for name in COLUMNS if name in found) or USUAL

    def refuse_much(self) -> None:
        """Add a fault for too many words, and if all values are so long together that the page would have megabytes."""
        if (words := len(set(self.text("q").split()))) > MOST_WORDS:
            self.faults.append(f"The search has {words} different words; {MOST_WORDS} is the most.")
        length = sum(len(text) for _, texts in self.query.lists() for text in texts)
        if length > MOST_CHARACTERS:
            self.faults.append(f"The filters have {length} characters together; {MOST_CHARACTERS} is the most.")

    def refuse_unknown(self) -> None:
        """Add a fault for unknown filters, which would look as if they had been applied."""
        ends = [f"{name}_{end}" for name in RANGES for end in ("min", "max")]
        known = {*FACETS, *(FIND + name for name in FACETS), *ends, *DATES, *PAGING, "q", "campaign", "sort", "column"}
        if unknown := self.unknown(known):
            self.faults.append(f"There is no filter {', '.join(unknown)}.")


def read(query: QueryDict) -> tuple[RunListQuery, list[str]]:
    """The query and its faults; empty parameters are ignored."""
    reader = RunListReader(query)
    reader.refuse_unknown()
    reader.refuse_much()
    ranges = {name: (reader.size(f"{name}_min"), reader.size(f"{name}_max")) for name in RANGES}
    list_query = RunListQuery(
        facets={name: values for name in FACETS if (values := reader.facet(name))},
        ranges={name: ends for name, ends in ranges.items() if ends != (None, None)},
        words=reader.text("q").strip(),
        since=reader.day("since"),
        until=reader.day("until"),
        campaign=reader.uuid("campaign", "a campaign"),
        finds={name: text for name in FACETS if (text := reader.text(FIND + name).strip())},
        sort=(sort := reader.sort()),
        columns=reader.columns(),
        after=reader.uuid("after", "a run"),
        at=reader.at(sort),
    )
    return list_query, reader.faults
