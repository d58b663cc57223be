"""The values of the rows of `Facets` as columns, in the memory of each web process.

Rows of `Facets`, `Environment` and `Target` never change, and no id is given twice, so each row is read once. What may
change is read for each request: which rows have runs that a reader may see (`counting`), and the names of machines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from benchdb.facts.dimension import DimensionValue
from benchdb.replica.reading import reading

from .filters import FACETS

Integers = NDArray[np.integer]
Members = tuple[DimensionValue, ...]  # the values of a row in one facet; None alone if it has no value

OF_ROW = tuple(facet for facet in FACETS.values() if not facet.at_run)
MOST_ROWS = 500_000  # 112 bytes each, and 100 to 300 for each distinct value
MOST_TEXTS = 10_000  # of a facet with several values a row, which are counted
READ_AT_ONCE = 2_000  # rows, then they are kept: with hundreds of own values each they take seconds

_SQL = f"""
SELECT f.id, {", ".join(facet.column for facet in OF_ROW)}
FROM runs_facets f
JOIN catalog_environment e ON e.id = f.environment_id
JOIN catalog_target t ON t.id = f.target_id
WHERE f.id = ANY(%s)
"""


@dataclass(frozen=True)
class FacetRows:
    """Rows of `Facets`: `ids` (rows) ascend; `codes` (facets × rows) are indices into the `values` of each facet.

    `counted` are the same values without rare texts.
    """

    ids: Integers
    codes: Integers
    values: Sequence[Sequence[Members]]
    counted: Sequence[Sequence[Members]]

    def places(self, ids: Integers) -> Integers:
        """For each id the index of its row, or -1."""
        if not self.ids.size:
            return np.full(ids.shape, -1)
        places = np.searchsorted(self.ids, ids).clip(max=self.ids.size - 1)
        return np.where(self.ids[places] == ids, places, -1)


_NONE = FacetRows(np.empty(0, np.int64), np.empty((len(OF_ROW), 0), np.int32), [[]] * len(OF_ROW), [[]] * len(OF_ROW))


class _Common:
    """The values of a facet with only the texts that are counted: any run may have hundreds that no other has.

    These are all, or at most `most`. A text that is counted is counted in all rows. Others are chosen whenever there
    are a quarter more values, then those of the most rows.
    """

    def __init__(self, most: int) -> None:
        self._most, self._chosen_of = most, 0
        self._seen: set[DimensionValue] = set()
        self._texts: set[DimensionValue] = set()
        self.values: list[Members] = []

    def add(self, values: Sequence[Members], codes: Integers) -> None:
        """Take the values that are new among all `values` of the rows with these `codes`."""
        for members in values[len(self.values) :]:
            new = [text for text in members if text not in self._seen]
            self._seen.update(new)
            self._texts.update(new[: max(self._most - len(self._texts), 0)])
            self.values.append(self._counted(members))
        if len(self._seen) > self._most <= len(self._texts) and len(values) >= 1.25 * self._chosen_of:
            counts: Counter[DimensionValue] = Counter()
            for members, rows in zip(values, np.bincount(codes, minlength=len(values)).tolist(), strict=True):
                for text in members:
                    counts[text] += rows
            self._texts = {None, *(text for text, _ in counts.most_common(self._most // 2))}
            self.values, self._chosen_of = list(map(self._counted, values)), len(values)

    def _counted(self, members: Members) -> Members:
        return tuple([text for text in members if text in self._texts])


class KeptFacets:
    """The rows that a process has read; threads may share it.

    At most `most` rows are kept. Further rows are read again by each request that needs them.
    """

    def __init__(self, most: int = MOST_ROWS, most_texts: int = MOST_TEXTS) -> None:
        self._most = most
        self._common = {place: _Common(most_texts) for place, facet in enumerate(OF_ROW) if facet.many}
        self._rows = _NONE
        self._codes: list[dict[Members, int]] = [{} for _ in OF_ROW]
        self._reading = Lock()

    def rows(self, ids: Integers) -> tuple[FacetRows, Integers]:
        """Rows, and for each of these `ids` the index of its row, or -1 if it was deleted. No query if all are kept."""
        rows = self._rows
        places = rows.places(ids)
        if (places < 0).any():
            with self._reading:  # one thread reads what several need
                rows = self._rows
                missing = np.unique(ids[rows.places(ids) < 0])
                for start in range(0, missing.size, READ_AT_ONCE):
                    rows = self._with(rows, _read(missing[start : start + READ_AT_ONCE]))
                    self._rows = FacetRows(
                        rows.ids[: self._most], rows.codes[:, : self._most], rows.values, rows.counted
                    )
            places = rows.places(ids)
        return rows, places

    def _with(self, rows: FacetRows, read: Sequence[tuple[object, ...]]) -> FacetRows:
        """These rows and those that were read."""
        if not read:
            return rows
        new_ids, *columns = zip(*read, strict=True)
        new = [self._coded(code_of, column) for code_of, column in zip(self._codes, columns, strict=True)]
        ids = np.concatenate([rows.ids, np.array(new_ids, np.int64)])
        order = np.argsort(ids)
        codes = np.concatenate([rows.codes, np.array(new, np.int32)], axis=1)
        values = [list(code_of) for code_of in self._codes]
        for place, common in self._common.items():
            common.add(values[place], codes[place])
        counted = [list(self._common[p].values) if p in self._common else values[p] for p in range(len(OF_ROW))]
        return FacetRows(ids[order], codes[:, order], values, counted)

    @staticmethod
    def _coded(code_of: dict[Members, int], column: Iterable[object]) -> list[int]:
        """The codes of values, with new codes for new values."""
        return [code_of.setdefault(_members(value), len(code_of)) for value in column]


def _members(value: object) -> Members:
    return tuple(value) or (None,) if isinstance(value, list) else (value,)  # type: ignore[return-value]


def _read(ids: Integers) -> list[tuple[object, ...]]:
    with reading().cursor() as cursor:
        cursor.execute(_SQL, [ids.tolist()])
        rows: list[tuple[object, ...]] = cursor.fetchall()
        return rows


kept = KeptFacets()
