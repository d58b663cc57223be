"""The number of runs that match, in total and for each value of each facet.

The counts of a facet respect every filter but the facet's own, so they show what another value of it would add. A row
that fails only the filter of one facet therefore counts for that facet, and for no other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest

import numpy as np
from django.db.models import Aggregate, BinaryField, Case, CharField, Q, QuerySet, Value, When
from numpy.typing import NDArray

from benchdb.facts.dimension import DimensionValue
from benchdb.http.requests import Reader
from benchdb.replica.reading import reading
from benchdb.runs.models import Facets, RunStateQuerySet
from benchdb.wording.names import told_apart
from benchdb.wording.numbers import NARROW_SPACE

from .facet_rows import OF_ROW, Integers, Members, kept
from .filters import FACETS, Facet
from .label_sets import KEY, kept_labels, labelled
from .query import RunListQuery

MOST_OPTIONS = 100  # values of a facet
EXACT = 10_000  # larger counts are shown as "10 000+"

# The columns for free text search, as paths from `Facets`.
SEARCHED = (
    *("environment__cpu_model", "environment__kernel_release", "environment__os_name", "machine__name", "tool"),
    *("target__file_system", "target__disk_model", "target__transport", "target__layers"),
)

_NAMES = "SELECT id::text, name FROM catalog_machine WHERE id = ANY(%s::bigint[])"

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Counted:
    """The runs that match, the ids of their `Facets`, and for each facet its most frequent values with their runs.

    `machines` are the names of the machines of all runs in the list by id, told apart.
    """

    total: int = 0
    rows: list[int] = field(default_factory=list)
    facets: dict[str, list[tuple[DimensionValue, int]]] = field(default_factory=dict)
    machines: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Column:
    """The values of rows in one facet: row i has `values[codes[i]]`. Of labels, rare ones may not be among them.

    So the rows that fail the filter by labels are asked of PostgreSQL, as `fails`. `counted` are the values without
    rare texts, if there may be many.
    """

    codes: Integers
    values: Sequence[Members]
    fails: Mask | None = None
    counted: Sequence[Members] | None = None

    def failing(self, facet: Facet, list_query: RunListQuery) -> Mask:
        """The rows that fail the filter of this facet."""
        if self.fails is not None:
            return self.fails
        return np.array([not _passes(facet, members, list_query) for members in self.values], bool)[self.codes]

    def count(self, runs_of_rows: Integers) -> Counter[DimensionValue]:
        """The number of runs with each value, from the number of runs of each row."""
        runs = np.bincount(self.codes, runs_of_rows, len(self.values)).astype(int)
        counts: Counter[DimensionValue] = Counter()
        counted = self.values if self.counted is None else self.counted
        for code in np.flatnonzero(runs).tolist():
            for value in counted[code]:
                counts[value] += int(runs[code])
        return counts


@dataclass(frozen=True)
class _Table:
    """Rows that runs share: run i belongs to row `row_of[i]`; `columns` by facet."""

    row_of: Integers
    columns: Mapping[str, _Column]
    size: int

    def rows_with(self, runs: Mask) -> Integers:
        """The number of these runs for each row."""
        return np.bincount(self.row_of[runs], minlength=self.size)


class _PackedIds(Aggregate):
    """The ids of rows of `Facets`, 8 bytes each."""

    function = "string_agg"
    template = "%(function)s(int8send(%(expressions)s), ''::bytea)"
    output_field = BinaryField()


def count(states: RunStateQuerySet, list_query: RunListQuery, reader: Reader) -> Counted:
    """Counts of these states, which `reader` may list."""
    ids, tables = _tables(states, list_query, reader)
    machines = _names_of(tables[0].columns["machine"], tables[0].row_of)
    fails = {
        name: column.failing(FACETS[name], list_query)[table.row_of]
        for table in tables
        for name, column in table.columns.items()
        if name in list_query.facets or name in list_query.ranges
    }
    failed = sum(fails.values(), np.zeros(ids.size, int))  # the number of filters that a run fails
    if words := list_query.words.split():
        found = np.fromiter(with_words(words).values_list("pk", flat=True), np.int64)
        failed[~np.isin(ids, found)] = len(FACETS) + 1  # counts nowhere
    matching = failed == 0
    facets = {}
    for table in tables:
        usual = table.rows_with(matching)
        for name, column in table.columns.items():
            rows = table.rows_with(failed == fails[name]) if name in fails else usual
            facets[name] = _most_frequent(FACETS[name], column.count(rows), list_query, machines)
    return Counted(int(matching.sum()), np.unique(ids[matching]).tolist(), facets, machines)


def _tables(
    states: RunStateQuerySet, list_query: RunListQuery, reader: Reader
) -> tuple[Integers, tuple[_Table, _Table]]:
    """The id of the row of `Facets` of each run; these rows; and the groups of runs."""
    of_groups, packed = _groups(states, list_query, reader)
    ids = np.frombuffer(b"".join(packed), ">i8").astype(np.int64)
    group_of = np.repeat(np.arange(len(packed)), np.array([len(each) // 8 for each in packed], int))
    rows, places = kept.rows(ids)
    stored = places >= 0  # the others were deleted after the first query
    ids, group_of, places = ids[stored], group_of[stored], places[stored]
    columns = zip(OF_ROW, rows.codes, rows.values, rows.counted, strict=True)
    of_rows = {facet.name: _Column(codes, values, None, counted) for facet, codes, values, counted in columns}
    return ids, (_Table(places, of_rows, rows.ids.size), _Table(group_of, of_groups, len(packed)))


def _groups(
    states: RunStateQuerySet, list_query: RunListQuery, reader: Reader
) -> tuple[dict[str, _Column], list[bytes]]:
    """Groups of runs with equal labels, state, visibility and relation to `reader`, and the packed ids of each."""
    mine = Case(When(owner=reader, then=Value("me")), default=Value("others")) if reader.is_authenticated else None
    chosen = list_query.facets.get("label")
    of_list = states.filter(facets__isnull=False)
    grouped = list(
        of_list.annotate(
            mine=mine or Value("others", CharField()),
            key=KEY,
            fails=Case(When(labelled(chosen), then=False), default=True) if chosen else Value(False),
        )
        .values("state", "visibility", "mine", "fails", "key")
        .annotate(packed=_PackedIds("facets"))
        .order_by()
        .values_list("state", "visibility", "mine", "fails", "key", "packed")
    )
    *of_group, fails, keys, packed = map(list, zip(*grouped, strict=True)) if grouped else ([] for _ in range(6))
    packed = list(map(bytes, packed))
    runs: Counter[int] = Counter()
    for key, ids in zip(keys, packed, strict=True):
        runs[key] += len(ids) // 8
    sets = kept_labels.sets(of_list, runs)
    columns = {
        name: _Column(codes, [(value,) for value in values.tolist()])
        for name, column in zip(("state", "visibility", "owner"), of_group, strict=True)
        for values, codes in [np.unique(column, return_inverse=True)]
    }
    members = [sets.get(key, ()) for key in keys]
    return {**columns, "label": _Column(np.arange(len(keys)), members, np.array(fails, bool))}, packed


def _names_of(machines: _Column, rows: Integers) -> dict[str, str]:
    """The names that the machines of these rows have now, by id. Those that look alike have their ids in theirs."""
    present = np.flatnonzero(np.bincount(machines.codes[rows], minlength=len(machines.values))).tolist()
    with reading().cursor() as cursor:
        cursor.execute(_NAMES, [[machines.values[code][0] for code in present]])
        return told_apart(dict(cursor.fetchall()))


def _passes(facet: Facet, members: Members, list_query: RunListQuery) -> bool:
    """Whether a run with these values passes the filter of a facet."""
    chosen = list_query.facets.get(facet.name)
    if chosen and not any(value in chosen for value in members):
        return False
    low, high = list_query.ranges.get(facet.name, (None, None))
    if low is None and high is None:
        return True
    (size,) = members
    return isinstance(size, int) and (low is None or size >= low) and (high is None or size <= high)


def _most_frequent(
    facet: Facet, counts: Counter[DimensionValue], list_query: RunListQuery, machines: Mapping[str, str]
) -> list[tuple[DimensionValue, int]]:
    """The most frequent values that contain the text in the search field of their facet, or were chosen."""
    find, chosen = list_query.finds.get(facet.name, "").casefold(), list_query.facets.get(facet.name, ())
    pairs: Iterable[tuple[DimensionValue, int]] = counts.items()
    if find:
        pairs = (pair for pair in pairs if find in facet.on_page(pair[0], machines).casefold() or pair[0] in chosen)

    def order(pair: tuple[DimensionValue, int]) -> tuple[int, bool, DimensionValue]:
        value, runs = pair
        return -runs, value is None, facet.on_page(value, machines) if facet.name == "machine" else value

    return nsmallest(MOST_OPTIONS, pairs, key=order)


def with_words(words: Sequence[str]) -> QuerySet[Facets]:
    """The rows that contain every word: those of the runs in a list with these words as its `q`."""
    return Facets.objects.filter(
        *(Q(*((f"{path}__icontains", word) for path in SEARCHED), _connector=Q.OR) for word in dict.fromkeys(words))
    )


def say_count(runs: int) -> str:
    """`9 412`; above `EXACT` `10 000+`."""
    return f"{min(runs, EXACT):,}".replace(",", NARROW_SPACE) + ("+" if runs > EXACT else "")
