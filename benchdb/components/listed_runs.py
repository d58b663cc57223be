"""The runs that a reader may list, counted by their facets in memory: one query, and one for rows not read before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import Count
from numpy.typing import NDArray

from benchdb.http.requests import Reader
from benchdb.runs.listing.facet_rows import OF_ROW, Integers, Members, kept
from benchdb.runs.models import RunState

from .kinds import Identity, KindDescription

Mask = NDArray[np.bool_]
PLACES = {facet.name: place for place, facet in enumerate(OF_ROW)}


@dataclass(frozen=True, slots=True)
class CountedComponent:
    """A component with the number of its runs and of the machines of these."""

    identity: Identity
    runs: int
    machines: int


@dataclass(frozen=True, slots=True, eq=False)
class ListedRuns:
    """R rows of `Facets` with listed runs.

    `ids` (R,) are those of the rows, `runs` (R,) the number of runs of each, `codes` (facets, R) indices into the
    distinct `values` of each facet.
    """

    ids: Integers
    runs: Integers
    codes: Integers
    values: Sequence[Sequence[Members]]

    def having(self, kind: KindDescription, identity: Identity) -> Mask:
        """The mask (R,) of the rows of a component."""
        mask = np.ones(self.ids.size, dtype=bool)
        for name, value in zip(kind.facets, identity, strict=True):
            place = PLACES[name]
            known = self.values[place]
            mask &= self.codes[place] == (known.index((value,)) if (value,) in known else -1)
        return mask

    def count(self, kind: KindDescription, mask: Mask) -> list[CountedComponent]:
        """The components of these rows, those with the most runs first."""
        places = [PLACES[name] for name in kind.facets]
        sizes = [len(self.values[place]) for place in places]
        if not mask.any():
            return []
        # One number for each combination of values: NumPy sorts numbers much faster than columns of a matrix.
        found = np.ravel_multi_index(tuple(self.codes[places][:, mask]), sizes)
        distinct, of_row = np.unique(found, return_inverse=True)
        runs = np.bincount(of_row, self.runs[mask]).astype(int)
        machine_codes, codes_in_use = self.codes[PLACES["machine"]][mask], len(self.values[PLACES["machine"]])
        machines = np.bincount(np.unique(of_row * codes_in_use + machine_codes) // codes_in_use)
        identities = [
            tuple(self.values[place][code][0] for place, code in zip(places, codes, strict=True))
            for codes in np.stack(np.unravel_index(distinct, sizes), axis=1).tolist()
        ]
        counted = map(CountedComponent, identities, runs.tolist(), machines.tolist())
        return sorted(
            counted, key=lambda each: (-each.runs, tuple((value is not None, value) for value in each.identity))
        )

    def by_value(self, facet: str, mask: Mask) -> list[tuple[str | None, int]]:
        """The texts of a facet with one text a row, with their runs in these rows, most frequent first."""
        place = PLACES[facet]
        runs = np.bincount(self.codes[place][mask], self.runs[mask], len(self.values[place])).astype(int)
        codes = np.flatnonzero(runs).tolist()
        texts = [None if (value := self.values[place][code][0]) is None else str(value) for code in codes]
        return sorted(zip(texts, runs[codes].tolist(), strict=True), key=lambda pair: (-pair[1], pair[0] or ""))


def listed_runs(reader: Reader) -> ListedRuns:
    """All runs that lists show `reader`."""
    states = RunState.objects.listed_for(reader).filter(facets__isnull=False)
    # Without an order PostgreSQL reads the narrow table once; in the order of the ids it would follow their index.
    counted = list(states.order_by().values("facets").annotate(runs=Count("run")).values_list("facets", "runs"))
    ids, runs = np.array(sorted(counted), dtype=np.int64).reshape(-1, 2).T
    rows, places = kept.rows(ids)
    stored = places >= 0  # the others were deleted after the first query
    return ListedRuns(ids[stored], runs[stored], rows.codes[:, places[stored]], rows.values)
