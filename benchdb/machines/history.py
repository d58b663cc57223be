"""The histories of a machine: each workload that ran on it more than once, with the change points of one result.

A workload's history is the series that the trend page shows of its newest run: the same tool, parameters and cache
regime on the same file system with the same settings. The number of queries is the same for any number of workloads.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import compress
from uuid import UUID

import numpy as np

from benchagent.formats.vocabulary import test_label
from benchdb.catalog.models import Environment, Target
from benchdb.compare.trend.history import SeriesHistory, history
from benchdb.compare.trend.selection import FIXED, TrendSelection
from benchdb.facts.stored import Parameters
from benchdb.runs.cells.cell import Cell, cells_of
from benchdb.runs.cells.links import trend_href
from benchdb.runs.listing.headlines import Headline, overviews
from benchdb.runs.models import Run, RunQuerySet
from benchdb.runs.quantities.reading import quantities_of, smallest
from benchdb.runs.queries import Measured, measured
from benchdb.wording.numbers import plural
from benchdb.wording.units import UNITS, default_unit
from benchdb.wording.words import metric_label, params_in_words, place_in_words

MOST_EXAMINED = 2_000  # of the machine's newest runs
MOST_RUNS = 40  # of one workload
PAGE = 6
KEY = ("test", "metric", "file_size", "record_size", "threads")


@dataclass(frozen=True)
class WorkloadRuns:
    """The runs of one workload, oldest first, with its parameters and target."""

    tool: str
    parameters: Parameters
    target: Target
    runs: list[UUID]


def workloads(runs: RunQuerySet) -> list[WorkloadRuns]:
    """The workloads with at least two of these runs of one machine, those with the most runs first; two queries.

    Runs with one time, as from articles, have no order and make no history.
    """
    columns = ("id", "started_at", "tool", "parameters", "cache_regime", "target_id")
    rows = list(runs.order_by("-id").values_list(*columns)[:MOST_EXAMINED])
    targets = Target.objects.defer("facts").in_bulk({row[-1] for row in rows})
    held = {pk: _held(target) for pk, target in targets.items()}
    by_key: dict[tuple[Hashable, ...], WorkloadRuns] = {}
    times: dict[tuple[Hashable, ...], set[datetime]] = {}
    for run_id, started_at, tool, parameters, regime, target in rows:
        key = (tool, json.dumps(parameters, sort_keys=True), regime, held[target])
        by_key.setdefault(key, WorkloadRuns(tool, parameters, targets[target], [])).runs.append(run_id)
        times.setdefault(key, set()).add(started_at)
    several = [workload for key, workload in by_key.items() if len(times[key]) > 1]
    for workload in several:
        workload.runs[:] = reversed(workload.runs[:MOST_RUNS])
    return sorted(several, key=lambda workload: len(workload.runs), reverse=True)


def histories(runs: RunQuerySet, listed: Sequence[WorkloadRuns]) -> list[dict[str, object]]:
    """The histories of these workloads; six queries. Raises MustWait."""
    headlines = overviews(workload.runs[-1] for workload in listed)
    chosen = [
        (workload, headline)
        for workload in listed
        if (overview := headlines.get(workload.runs[-1]))
        and (headline := next((each for each in overview.chosen if each.mean is not None), None))
    ]
    ids = [run_id for workload, _ in chosen for run_id in workload.runs]
    whole = _with_context(runs, ids)
    by_id = dict(compress(whole.items(), smallest(run.runstate.result_count for run in whole.values())))
    origins = _origins(chosen)
    results = _results(by_id, origins.values())
    drawn = []
    for workload, _ in chosen:
        origin = origins[workload.runs[-1]]
        series = [(by_id[run], same) for run in workload.runs if (same := _same(results.get(run, []), origin))]
        if len(series) > 1:
            drawn.append(_history(workload, origin, series))
    return drawn


def _held(target: Target) -> tuple[Hashable, ...]:
    """The facts that all runs of a series share, as in trends."""
    run = Run(target=target)
    return (target.kind, target.file_system, *(fact.of(run) for fact in FIXED.values() if fact.of is not None))


def _with_context(runs: RunQuerySet, ids: Sequence[UUID]) -> dict[UUID, Run]:
    """The runs with their environments and targets, each read once; three queries."""
    rows = runs.filter(id__in=ids).select_related("machine", "runstate").defer("digest", "extra")
    by_id = {run.pk: run for run in rows}
    environments = Environment.objects.in_bulk({run.environment_id for run in by_id.values()})
    targets = Target.objects.in_bulk({run.target_id for run in by_id.values()})
    for run in by_id.values():
        run.environment, run.target = environments[run.environment_id], targets[run.target_id]
    return by_id


def _origins(chosen: Sequence[tuple[WorkloadRuns, Headline]]) -> dict[UUID, Measured]:
    """The chosen result of each workload's newest run; one query."""
    wanted = {workload.runs[-1]: headline.ordinal for workload, headline in chosen}
    results = measured(wanted, {"ordinal": list(set(wanted.values()))})
    return {result.run_id: result for result in results if result.ordinal == wanted[result.run_id]}


def _results(runs: Mapping[UUID, Run], origins: Iterable[Measured]) -> dict[UUID, list[Measured]]:
    """The results of each run with the test, metric, sizes and threads of an origin; two queries."""
    listed = list(origins)
    filters = {name: list({getattr(origin, name) for origin in listed}) for name in KEY}
    quantities = quantities_of(runs, sum(run.runstate.result_count for run in runs.values()))
    mask = np.logical_and.reduce([quantities.having(name, values) for name, values in filters.items()])
    by_run: dict[UUID, list[Measured]] = {}
    chosen = {"ordinal": quantities.ordinals(mask), **filters}
    for result in measured(runs, chosen, sequential=quantities.sequential(mask)):
        by_run.setdefault(result.run_id, []).append(result)
    return by_run


def _same(results: Sequence[Measured], origin: Measured) -> Measured | None:
    alike = (r for r in results if all(getattr(r, name) == getattr(origin, name) for name in KEY))
    return next((result for result in alike if result.params == origin.params), None)


def _history(workload: WorkloadRuns, origin: Measured, series: Sequence[tuple[Run, Measured]]) -> dict[str, object]:
    unit = UNITS[default_unit(origin.metric)]
    cells: list[Cell] = cells_of([result for _, result in series], unit, {run.id: run for run, _ in series})
    selection = TrendSelection(run=series[-1][0].pk, test=origin.test, metric=origin.metric, unit=unit.name)
    changes = history(selection, [run for run, _ in series], cells)
    last = cells[-1].text
    sd = f" ± {last.sd}" if last.sd else ""
    # A history in machines/partials/histories.html; `points` are change points, `unsearched` is why there are none.
    return {
        "tool": workload.tool,
        "parameters": ", ".join(params_in_words(workload.parameters)),
        "file_system": workload.target.file_system or "unknown file system",
        "test": f"{test_label(origin.test)} {metric_label(origin.metric)}",
        "place": place_in_words(origin),
        "last": f"{last.mean}{sd} {unit.name}" if last.mean else "no figure",
        "runs": plural(len(series), "run"),
        "points": changes.change_points,
        "unsearched": changes.unsearched,
        "chart": sparkline([cell.mean for cell in cells], changes),
        "href": trend_href(origin),
    }


WIDTH, HEIGHT, MARGIN = 260, 56, 6  # of the drawing, in its own units
FLAT = 0.02  # a variation below this share of the level is drawn without stretching


def sparkline(means: Sequence[float | None], history: SeriesHistory) -> dict[str, object]:
    """The drawing of these figures; `history` is that of a trend's series.

    Runs have equal distances in the order of time; a run without a figure leaves a gap. The vertical axis
    covers the figures and does not begin at zero.
    """
    figures = [mean for mean in means if mean is not None]
    low, high = min(figures), max(figures)
    room = max(high - low, FLAT * abs(high)) or 1.0
    bottom = (low + high - room) / 2
    step = (WIDTH - 2 * MARGIN) / max(len(means) - 1, 1)

    def x(index: float) -> float:
        return round(MARGIN + index * step if len(means) > 1 else WIDTH / 2, 1)

    def y(mean: float) -> float:
        return round(HEIGHT - MARGIN - (mean - bottom) / room * (HEIGHT - 2 * MARGIN), 1)

    odd = set(history.outliers)
    return {
        # A run; `odd` if it is set aside as an outlier.
        "dots": [{"x": x(i), "y": y(mean), "odd": i in odd} for i, mean in enumerate(means) if mean is not None],
        "levels": [
            {"left": x(level.first), "right": x(level.last), "y": min(max(y(level.level), 0.0), float(HEIGHT))}
            for level in history.segments
        ],
        # A change point; `kind` is better, worse or inconclusive.
        "changes": [{"x": x(point.at - 0.5), "kind": point.kind} for point in history.change_points],
        "width": WIDTH,
        "height": HEIGHT,
    }
