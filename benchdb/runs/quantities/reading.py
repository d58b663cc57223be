"""Reads the quantities of runs from their parses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

import numpy as np
import orjson

from benchdb.replica.reading import reading
from benchdb.runs.costs import before_quantities
from benchdb.runs.store.packed_quantities import unpacked

from .columns import NAMES, BoolArray, Column, Entry, IntArray, Quantities, QuantityPlaces, numbered

MOST_QUANTITIES = 1_000_000  # read at once, which take up to a gigabyte
MOST_OF_PAGE = 20_000  # read for everybody, on pages that neither fail nor take turns: at most 0.6 s


def quantities_of(run_ids: Iterable[UUID], results: int) -> Quantities:
    """The quantities of the current parses of these runs; one query, which reads no result. Raises MustWait.

    `results` is their number of results, which says what this costs. Callers bound it (`smallest`), or their runs.
    """
    before_quantities(results)
    runs = list(run_ids)
    with reading().prepared_cursor() as cursor:
        cursor.execute(
            """
            SELECT p.dimensions::text, p.codes, u.tool, array_agg(w.run_id)
            FROM unnest(%s::uuid[]) WITH ORDINALITY w(run_id, place)
            JOIN runs_runstate t ON t.run_id = w.run_id
            JOIN runs_parse p ON p.run_id = w.run_id AND p.number = t.current_parse
            JOIN runs_run u ON u.id = w.run_id
            GROUP BY 1, 2, 3
            ORDER BY min(w.place)
            """,
            [runs],
        )
        return merged(cursor.fetchall())


def smallest(results: Iterable[int], most: int = MOST_QUANTITIES) -> BoolArray:
    """Which of runs with so many results are read: the smallest ones, with at most `most` results together."""
    counts = np.fromiter(results, np.int64)
    rank = np.argsort(np.argsort(counts, kind="stable"))
    return np.asarray(np.cumsum(np.sort(counts))[rank] <= most, dtype=bool)


def merged(parses: Sequence[tuple[str, bytes, str, list[UUID]]]) -> Quantities:
    """The quantities of these distinct parses: dimensions, codes, tool and runs of each."""
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
    weights = np.array([len(of_parse) for *_, of_parse in parses])[owners]
    runs = np.bincount(place, weights, len(kept[0])).astype(np.int64)
    of_parses = [of_parse for *_, of_parse in parses]
    places = [QuantityPlaces(of_parse, every[owners == i], place[owners == i]) for i, of_parse in enumerate(of_parses)]
    columns = {name: Column(list(known[name]), kept[i]) for i, name in enumerate(NAMES)}
    return Quantities(columns, runs, places)


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
    number, first = numbered(table[:, order])
    place = np.empty(len(ordinals), dtype=np.int64)
    place[order] = number
    return table[:, order[first]], place
