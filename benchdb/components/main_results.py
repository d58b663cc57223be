"""The main results of runs: each test and metric at the largest file and record. Two queries for any number of runs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from benchdb.replica.reading import reading
from benchdb.runs.quantities.columns import IntArray, Quantities
from benchdb.runs.quantities.reading import quantities_of
from benchdb.stats import STATISTICS_VERSION

# The newest statistics of chosen results, which are few of those of their runs.
_SQL = """
SELECT w.place, s.n, coalesce(s.mean, (r.given->>'mean')::float), coalesce(s.sd, (r.given->>'sd')::float),
  CASE WHEN (r.given->>'n')::bigint < 1::bigint << 31 THEN (r.given->>'n')::int END,
  CASE WHEN w.whole THEN coalesce(r.values, r.singles::float8[]) END
FROM unnest(%s::uuid[], %s::int[], %s::boolean[]) WITH ORDINALITY w(run_id, ordinal, whole, place)
JOIN runs_runstate t ON t.run_id = w.run_id
JOIN runs_result r ON r.run_id = w.run_id AND r.parse = t.current_parse AND r.ordinal = w.ordinal
LEFT JOIN LATERAL (
  SELECT own.n, own.mean, own.sd FROM runs_summary own
  WHERE own.run_id = r.run_id AND own.parse = r.parse AND own.ordinal = r.ordinal AND own.statistics_version <= %s
  ORDER BY own.statistics_version DESC LIMIT 1
) s ON true
WHERE coalesce(s.mean, (r.given->>'mean')::float) IS NOT NULL
"""

Values = Sequence[float | None]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class MainResults:
    """R results with a mean, in base units. `runs` are all runs.

    `run` (R,) is the index of the run, `quantity` (R,) that of the quantity, which is the same for the same test,
    metric, sizes, threads and params of the same tool. `n`, `mean` and `sd` are (R,), NaN for an unknown sd, 0 for an
    unknown n. `values` are known only for runs read whole.
    """

    runs: Sequence[UUID]
    quantities: Quantities
    run: IntArray
    quantity: IntArray
    n: IntArray
    mean: FloatArray
    sd: FloatArray
    values: Sequence[Values | None]

    def entry(self, name: str, place: int) -> str:
        """The test or metric of a result."""
        column = self.quantities.columns[name]
        return str(column.values[column.codes[self.quantity[place]]])


def main_results(counts: Mapping[UUID, int], whole: Collection[UUID]) -> MainResults:
    """The main results of the runs with these numbers of results, with their values for those in `whole`."""
    runs = list(counts)
    quantities = quantities_of(runs, sum(counts.values()))
    run, ordinal, quantity = _main(quantities, {run: place for place, run in enumerate(runs)})
    ids = [runs[place] for place in run.tolist()]
    with reading().cursor() as cursor:
        cursor.execute(_SQL, [ids, ordinal.tolist(), [each in whole for each in ids], STATISTICS_VERSION])
        rows = cursor.fetchall()
    columns = list(zip(*rows, strict=True)) if rows else [()] * 6
    places = np.array(columns[0], dtype=np.int64) - 1
    n = [own or given or 0 for own, given in zip(columns[1], columns[4], strict=True)]
    return MainResults(
        runs,
        quantities,
        run[places],
        quantity[places],
        np.array(n, dtype=np.int64),
        np.array(columns[2], dtype=np.float64),
        np.array(columns[3], dtype=np.float64),  # None becomes NaN
        columns[5],
    )


def _main(quantities: Quantities, index: dict[UUID, int]) -> tuple[IntArray, IntArray, IntArray]:
    """Run, ordinal and quantity of the main results: the largest file, then record, then the fewest threads."""
    places = quantities.places
    if not places:
        return (np.zeros(0, dtype=np.int64),) * 3
    parse = np.repeat(np.arange(len(places)), [len(each.ordinals) for each in places])
    ordinal = np.concatenate([each.ordinals for each in places])
    quantity = np.concatenate([each.quantities for each in places])
    size, record, threads = (_numbers(quantities, name)[quantity] for name in ("file_size", "record_size", "threads"))
    test, metric = (quantities.columns[name].codes[quantity] for name in ("test", "metric"))
    order = np.lexsort((ordinal, threads, -record, -size, metric, test, parse))
    group = np.stack([parse, test, metric])[:, order]
    first = np.ones(order.size, dtype=bool)
    first[1:] = (group[:, 1:] != group[:, :-1]).any(axis=0)
    chosen = order[first]
    runs_of = [np.array([index[run] for run in each.runs], dtype=np.int64) for each in places]
    of_parse = [chosen[parse[chosen] == place] for place in range(len(places))]
    run = np.concatenate([np.repeat(runs, len(each)) for runs, each in zip(runs_of, of_parse, strict=True)])
    result = np.concatenate([np.tile(each, len(runs)) for runs, each in zip(runs_of, of_parse, strict=True)])
    return run, ordinal[result], quantity[result]


def _numbers(quantities: Quantities, name: str) -> FloatArray:
    """A dimension of numbers by quantity; -1 for a missing one."""
    column = quantities.columns[name]
    values = np.array([-1 if value is None else value for value in column.values] or [-1], dtype=np.float64)
    return np.asarray(values[column.codes], dtype=np.float64)
