"""What runs measured: the distinct quantities of their results as columns, without the values and the statistics."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np
import numpy.typing as npt
import orjson

from benchdb.replica.reading import reading

from .store.packed_quantities import DIMENSIONS, unpacked

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]
Entry = str | int | None  # of a dimension; `params` are canonical JSON
NAMES = ("tool", *DIMENSIONS)


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A dimension of Q quantities: its distinct values, and the index of each quantity's value in them, (Q,)."""

    values: Sequence[Entry]
    codes: IntArray

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> Column:
        """The column with these entries, one for each quantity."""
        known: dict[Entry, int] = {}
        codes = [known.setdefault(entry, len(known)) for entry in entries]
        return cls(list(known), np.array(codes, dtype=np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Equal parses of some runs: the ordinals of their results, and the quantity of each, (R,)."""

    ordinals: IntArray
    quantities: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Quantities:
    """The Q distinct quantities of some runs in the order of the documents, by dimension (NAMES).

    `runs` (Q,) is the number of runs that have the quantity. Masks are (Q,).
    """

    columns: Mapping[str, Column]
    runs: IntArray
    layouts: Sequence[Layout] = ()

    def __len__(self) -> int:
        return len(self.runs)

    def everything(self) -> BoolArray:
        """The mask of all quantities."""
        return np.ones(len(self), dtype=bool)

    def values(self, name: str, mask: BoolArray) -> list[Entry]:
        """The values of a dimension that these quantities have, each once, in the order of the documents."""
        return list(self.weights(name, mask))

    def weights(self, name: str, mask: BoolArray) -> dict[Entry, int]:
        """By value: the number of runs of its most frequent quantity."""
        column = self.columns[name]
        codes, first = np.unique(column.codes[mask], return_index=True)
        most = np.zeros(len(column.values), dtype=np.int64)
        np.maximum.at(most, column.codes[mask], self.runs[mask])
        return {column.values[code]: int(most[code]) for code in codes[np.argsort(first)].tolist()}

    def having(self, name: str, values: Collection[Entry]) -> BoolArray:
        """The mask of the quantities with one of these values in a dimension."""
        column = self.columns[name]
        wanted = np.array([value in values for value in column.values], dtype=bool)
        return np.asarray(wanted[column.codes], dtype=bool)

    def combinations(self, names: Sequence[str], mask: BoolArray) -> list[tuple[Entry, ...]]:
        """The combinations of values of some dimensions that these quantities have, each once."""
        columns = [self.columns[name] for name in names]
        shape = [max(1, len(column.values)) for column in columns]
        numbers = np.unique(np.ravel_multi_index([column.codes[mask] for column in columns], shape))
        codes = np.stack(np.unravel_index(numbers, shape), axis=1).tolist()
        return [tuple(column.values[code] for column, code in zip(columns, row, strict=True)) for row in codes]

    def ordinals(self, mask: BoolArray) -> list[int]:
        """The ordinals under which any of the runs has these quantities, sorted."""
        found = [layout.ordinals[mask[layout.quantities]] for layout in self.layouts]
        return np.unique(np.concatenate(found)).tolist() if found else []


def quantities_of(run_ids: Iterable[UUID]) -> Quantities:
    """The quantities of the current parses of these runs; one query, which reads no result."""
    runs = list(run_ids)
    with reading().cursor() as cursor:
        cursor.execute(
            """
            SELECT p.dimensions::text, p.codes, u.tool, count(*)
            FROM runs_runstate t
            JOIN runs_parse p ON p.run_id = t.run_id AND p.number = t.current_parse
            JOIN runs_run u ON u.id = t.run_id
            WHERE t.run_id = ANY(%s)
            GROUP BY 1, 2, 3
            ORDER BY min(array_position(%s, t.run_id))
            """,
            [runs, runs],
        )
        return _merged(cursor.fetchall())


def _merged(parses: Sequence[tuple[str, bytes, str, int]]) -> Quantities:
    """The quantities of these distinct parses: dimensions, codes, tool and number of runs of each."""
    known: dict[str, dict[Entry, int]] = {name: {} for name in NAMES}
    tables, ordinals = [], []
    for text, packed, tool, _ in parses:
        numbers, dimensions, codes = unpacked(orjson.loads(text), packed)
        tables.append(_recoded(known, {"tool": [tool], **dimensions}, np.vstack([np.zeros_like(numbers), codes])))
        ordinals.append(numbers)
    if not tables:
        return Quantities({name: Column.of([]) for name in NAMES}, np.zeros(0, dtype=np.int64))
    every, table = np.concatenate(ordinals), np.hstack(tables)
    # A quantity is unique in its parse.
    kept, place = _distinct(table, every) if len(parses) > 1 else (table, np.arange(len(every)))
    owners = np.repeat(np.arange(len(parses)), [len(numbers) for numbers in ordinals])
    runs = np.bincount(place, np.array([count for *_, count in parses])[owners], len(kept[0])).astype(np.int64)
    layouts = [Layout(every[owners == i], place[owners == i]) for i in range(len(parses))]
    columns = {name: Column(list(known[name]), kept[i]) for i, name in enumerate(NAMES)}
    return Quantities(columns, runs, layouts)


def _recoded(
    known: Mapping[str, dict[Entry, int]], dimensions: Mapping[str, Sequence[Entry]], codes: IntArray
) -> IntArray:
    """The codes of a parse, (dimensions, R), as indices in the values of all parses, to which its values are added."""
    rows = []
    for name, column in zip(NAMES, codes, strict=True):
        of_name = known[name]
        common = np.array([of_name.setdefault(value, len(of_name)) for value in dimensions[name]], dtype=np.int64)
        rows.append(common[column])
    return np.stack(rows)


def _distinct(table: IntArray, ordinals: IntArray) -> tuple[IntArray, IntArray]:
    """The distinct columns of a table (dimensions, N) by their smallest ordinal; and the place of each one, (N,)."""
    order = np.argsort(ordinals, kind="stable")
    distinct, first, inverse = np.unique(table[:, order], axis=1, return_index=True, return_inverse=True)
    place = np.empty(len(ordinals), dtype=np.int64)
    place[order] = np.argsort(np.argsort(first))[inverse.ravel()]
    return distinct[:, np.argsort(first)], place
