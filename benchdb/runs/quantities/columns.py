"""The distinct quantities of runs as columns, and masks of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np
import numpy.typing as npt

from benchdb.runs.store.packed_quantities import DIMENSIONS

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
class QuantityPlaces:
    """Equal parses of these runs: the ordinals of their results, and the quantity of each, (R,)."""

    runs: Sequence[UUID]
    ordinals: IntArray
    quantities: IntArray

    def mask(self, count: int) -> BoolArray:
        """The mask of the quantities of these parses among all, (count,)."""
        mask = np.zeros(count, dtype=bool)
        mask[self.quantities] = True
        return mask


class SequentialReads(NamedTuple):
    """Throughputs of sequential reads beside other quantities: their ordinals, and how many each whole run has."""

    ordinals: Sequence[int]
    in_run: Mapping[UUID, int]


@dataclass(frozen=True, slots=True, eq=False)
class Quantities:
    """The Q distinct quantities of some runs in the order of the documents, by dimension (NAMES).

    `runs` (Q,) is the number of runs that have the quantity. Masks are (Q,).
    """

    columns: Mapping[str, Column]
    runs: IntArray
    places: Sequence[QuantityPlaces] = ()

    def __len__(self) -> int:
        return len(self.runs)

    def everything(self) -> BoolArray:
        """The mask of all quantities."""
        return np.ones(len(self), dtype=bool)

    def values(self, name: str, mask: BoolArray) -> list[Entry]:
        """The values of a dimension that these quantities have, each once, in the order of the documents."""
        return list(self.weights(name, mask))

    def values_by_parse(self, name: str, mask: BoolArray) -> list[set[Entry]]:
        """The values of a dimension that these quantities have in each of the distinct parses."""
        column = self.columns[name]
        of_parses = (np.unique(column.codes[parse.quantities[mask[parse.quantities]]]) for parse in self.places)
        return [{column.values[code] for code in codes.tolist()} for codes in of_parses]

    def counts(self, name: str, mask: BoolArray | IntArray) -> dict[Any, int]:
        """By value of a dimension: how many of these quantities have it, in the order of the documents."""
        codes, first, counts = np.unique(self.columns[name].codes[mask], return_index=True, return_counts=True)
        return {self.columns[name].values[codes[i]]: int(counts[i]) for i in np.argsort(first)}

    def weights(self, name: str, mask: BoolArray) -> dict[Entry, int]:
        """By value: the number of runs of its most frequent quantity."""
        column = self.columns[name]
        codes, first = np.unique(column.codes[mask], return_index=True)
        most = np.zeros(len(column.values), dtype=np.int64)
        np.maximum.at(most, column.codes[mask], self.runs[mask])
        return {column.values[code]: int(most[code]) for code in codes[np.argsort(first)].tolist()}

    def having(self, name: str, values: Collection[Entry]) -> BoolArray:
        """The mask of the quantities with one of these values in a dimension."""
        column, among = self.columns[name], frozenset(values)
        wanted = np.array([value in among for value in column.values], dtype=bool)
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
        found = [of_parse.ordinals[mask[of_parse.quantities]] for of_parse in self.places]
        return np.unique(np.concatenate(found)).tolist() if found else []

    def sequential(self, mask: BoolArray) -> SequentialReads:
        """The sequential reads of files with the sizes and threads of these quantities."""
        reads = self.having("test", ["read"]) & self.having("metric", ["throughput"])
        in_run = {run: int(reads[place.quantities].sum()) for place in self.places for run in place.runs}
        alike = [self.having(name, self.values(name, mask)) for name in ("file_size", "record_size", "threads")]
        return SequentialReads(self.ordinals(np.logical_and.reduce([reads, *alike])), in_run)


def numbered(columns: Sequence[IntArray] | IntArray) -> tuple[IntArray, IntArray]:
    """The number of the combination of codes in each of N rows, (N,), and the first row of each combination.

    Combinations are numbered in the order in which they appear.
    """
    combined = np.zeros(len(columns[0]), dtype=np.int64)
    for codes in columns:
        if codes.size and codes.max() > codes.min():
            combined = np.unique(combined, return_inverse=True)[1] * (codes.max() + 1) + codes
    _, first, number = np.unique(combined, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return np.argsort(order)[number], first[order]
