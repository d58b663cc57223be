"""What a run measured, without values: columns of all results, from which its page chooses what to read."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np

from benchagent.formats.vocabulary import test_label
from benchdb.replica.reading import reading
from benchdb.runs.quantities.columns import Column, Quantities, numbered
from benchdb.runs.quantities.reading import merged
from benchdb.runs.queries import OUT_OF_ORDER, Measured, measured
from benchdb.stats import STATISTICS_VERSION
from benchdb.stats.arrays import BoolArray, FloatArray, IntArray
from benchdb.wording.sizes import say_size
from benchdb.wording.words import params_in_words

LONGEST_ERROR = 400


class ResultOutline(NamedTuple):
    """A result of a run's current parse; sizes in bytes."""

    ordinal: int
    test: str
    metric: str
    file_size: int | None
    record_size: int | None
    threads: int | None
    params: Mapping[str, object]


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """R results of a run's current parse in document order; their places are 0 to R - 1.

    `means` (R,) are in base units, 0 until they are computed. `faults` are statuses and errors of results that are not
    ok, by place.
    """

    quantities: Quantities
    ordinals: IntArray
    means: FloatArray
    faults: Mapping[int, tuple[str, str | None]]

    def column(self, name: str) -> Column:
        return self.quantities.columns[name]

    def row(self, place: int) -> ResultOutline:
        """The result at a place, its params in the order of PostgreSQL: short names first."""
        entries = {name: self.column(name).values[self.column(name).codes[place]] for name in ResultOutline._fields[1:]}
        params = sorted(json.loads(str(entries.pop("params"))).items(), key=lambda item: len(item[0].encode()))
        return ResultOutline(ordinal=int(self.ordinals[place]), params=dict(params), **entries)

    def surfaces(self) -> dict[tuple[str, str], IntArray]:
        """The places of the results of each (test, metric) that makes a surface, as `cells.grids` chooses them."""
        sized = np.flatnonzero(
            ~(self.quantities.having("file_size", [None]) | self.quantities.having("record_size", [None]))
        )
        names = ("test", "metric", "threads", "params", "file_size", "record_size")
        test, metric, threads, params, *sizes = (self.column(name).codes[sized] for name in names)
        number, first = numbered([test, metric])
        how, _ = numbered([threads, params])
        alike = how == how[first][number]
        varied = [
            np.bincount(number[alike & (size != size[first][number])], minlength=len(first)) > 0 for size in sizes
        ]
        kept = np.flatnonzero(alike & np.logical_and(*varied)[number])
        ordered = kept[np.argsort(number[kept], kind="stable")]
        parts = np.split(sized[ordered], np.flatnonzero(np.diff(number[ordered])) + 1)
        return {(row.test, row.metric): part for part in parts if part.size and (row := self.row(part[0]))}

    def titles(
        self, places: IntArray, params: Callable[[Mapping[str, object]], object] = params_in_words
    ) -> tuple[IntArray, IntArray]:
        """What words say of the test, sizes, threads and params of these results, numbered (`numbered`)."""
        words: dict[str, Callable[[Any], Any]] = {
            "test": test_label,
            "file_size": lambda size: size and say_size(size),
            "record_size": lambda size: size and say_size(size),
            "threads": lambda threads: threads or 1,
            "params": lambda text: str(params(json.loads(text))),
        }
        return numbered(
            [
                Column.of(map(say, self.column(name).values)).codes[self.column(name).codes[places]]
                for name, say in words.items()
            ]
        )


# The dimensions of a parse and their codes, which are sorted by ordinal as the means are.
_SQL = """
SELECT p.dimensions::text, p.codes, u.tool, m.means, m.ordinals, m.statuses, m.errors
FROM runs_runstate t
JOIN runs_run u ON u.id = t.run_id
JOIN runs_parse p ON p.run_id = t.run_id AND p.number = t.current_parse
CROSS JOIN LATERAL (
  SELECT string_agg(float8send(coalesce(s.mean, (r.given->>'mean')::float, 0)), '' ORDER BY r.ordinal) AS means,
    array_agg(r.ordinal ORDER BY r.ordinal) FILTER (WHERE r.status <> 'ok') AS ordinals,
    array_agg(r.status ORDER BY r.ordinal) FILTER (WHERE r.status <> 'ok') AS statuses,
    array_agg(left(r.error, %s) ORDER BY r.ordinal) FILTER (WHERE r.status <> 'ok') AS errors
  FROM runs_result r
  LEFT JOIN LATERAL (
    SELECT own.mean FROM runs_summary own
    WHERE own.run_id = r.run_id AND own.parse = r.parse AND own.ordinal = r.ordinal AND own.statistics_version <= %s
    ORDER BY own.statistics_version DESC LIMIT 1
  ) s ON true
  WHERE r.run_id = t.run_id AND r.parse = t.current_parse
) m
WHERE t.run_id = %s
"""


def outline_of(run_id: UUID) -> Outline:
    """All results in document order; one query."""
    with reading().prepared_cursor() as cursor:
        cursor.execute(_SQL, [LONGEST_ERROR, STATISTICS_VERSION, run_id])
        *parse, means, ordinals, statuses, errors = cursor.fetchone()
    quantities = merged([(*parse, [run_id])])
    (own,) = quantities.places
    places = np.searchsorted(own.ordinals, ordinals or []).tolist()
    faults = dict(zip(places, zip(statuses or (), errors or (), strict=True), strict=True))
    return Outline(quantities, own.ordinals, np.frombuffer(means or b"", ">f8").astype(np.float64), faults)


def results_at(run_id: UUID, outline: Outline, places: BoolArray) -> list[Measured]:
    """The results in this mask (R,), whole, in document order; one query."""
    ordinals = outline.ordinals[places].tolist()
    sequential = outline.quantities.sequential(places & outline.quantities.having("test", OUT_OF_ORDER))
    return measured([run_id], {"ordinal": ordinals}, sequential=sequential, diagnostics=True)
