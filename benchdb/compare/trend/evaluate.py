"""Evaluates a trend: one result of one workload on one machine, run after run, with its change points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from benchagent.formats.vocabulary import METRICS, test_label
from benchdb import __version__
from benchdb.compare.content import RunLine
from benchdb.compare.query.dimensions import DIMENSIONS
from benchdb.compare.query.errors import CHANGED, ImpossibleSelection
from benchdb.compare.query.runs import machine_names, quantities_of_runs, run_line
from benchdb.http.requests import Reader
from benchdb.runs.cells.cell import cells_of
from benchdb.runs.costs import before_points
from benchdb.runs.models import UNFINISHED, Run
from benchdb.runs.queries import Measured, measured
from benchdb.stats import STATISTICS_VERSION
from benchdb.wording.numbers import plural
from benchdb.wording.units import UNITS, Unit
from benchdb.wording.words import metric_label

from .complete import Menus, complete, most_frequent
from .content import SCHEMA, OtherRuns, TrendContent, TrendSeries
from .history import history
from .order import in_order
from .runs import Series, TrendRuns, find
from .selection import TrendSelection, canonical

OF_RESULT = ("test", "metric", "file_size", "record_size", "threads")
MOST_VALUES = 1_000_000


def evaluate_trend(selection: TrendSelection, reader: Reader) -> tuple[TrendContent, Menus]:
    """The trend, and the possible values of each parameter. Eight queries, for any number of runs.

    Raises ImpossibleSelection, NothingThere if this reader may see no such run or machine, and MustWait.
    """
    trend = find(selection, reader)
    if not trend.series:
        raise ImpossibleSelection([_no_series(selection, trend)])
    runs = [run for series in trend.series for run in series.runs]
    quantities = quantities_of_runs(runs)
    chosen, menus, mask = complete(selection, quantities)
    _bound(int(quantities.runs[mask].sum()), runs)
    filters = {"ordinal": quantities.ordinals(mask), **{name: [getattr(chosen, name)] for name in OF_RESULT}}
    results = measured((run.id for run in runs), filters, sequential=quantities.sequential(mask))
    if not results:
        raise ImpossibleSelection([CHANGED])
    chosen, of_runs = _of_one_kind(chosen, results, runs)
    params = list(dict.fromkeys(canonical(result.params) for result in results))
    menus = {**menus, "params": params, "file_system": trend.file_systems}
    return build_trend(chosen, trend, of_runs), menus


def _bound(results: int, runs: Sequence[Run]) -> None:
    """Raise ImpossibleSelection for too many values for a request, and MustWait; a result has one value a round."""
    values = results * max((run.round_count for run in runs), default=0)
    if values > MOST_VALUES:
        raise ImpossibleSelection(
            [f"This trend would read {values} values of {plural(results, 'result')}, {MOST_VALUES} values at most."]
        )
    before_points(results, values)


def _no_series(selection: TrendSelection, trend: TrendRuns) -> str:
    if selection.before is not None:
        return "There are no runs before this one. Leave out before=… for the newest."
    names = ", ".join(selection.file_systems)
    return f"No run on {names} shares the settings of this one; vary=… lets settings differ."


def _of_one_kind(
    chosen: TrendSelection, results: Sequence[Measured], runs: Sequence[Run]
) -> tuple[TrendSelection, dict[UUID, Measured]]:
    """One result a run: the result with the selected params, else with the params that most runs have."""
    kinds = [canonical(result.params) for result in results]
    if chosen.params and chosen.params not in kinds:
        possible = ", ".join(dict.fromkeys(kinds)) or "none"
        raise ImpossibleSelection([f"No result has the params {chosen.params}; possible are {possible}."])
    wanted = chosen.params or most_frequent(kinds)
    of_runs = {result.run_id: result for result, kind in zip(results, kinds, strict=True) if kind == wanted}
    return chosen.replace(params=wanted if len(set(kinds)) > 1 or chosen.params else ""), of_runs


def build_trend(selection: TrendSelection, trend: TrendRuns, results: Mapping[UUID, Measured]) -> TrendContent:
    """The trend of these results, with everything that pages and exports show."""
    unit, metric = UNITS[selection.unit], METRICS[selection.metric]
    all_series = [_series(selection, series, results, unit) for series in trend.series]
    runs = [run for series in trend.series for run in series.runs if run.id in results]
    label, (machine,) = test_label(selection.test), machine_names([trend.origin]).values()
    return TrendContent(
        schema=SCHEMA,
        title=f"{label} over {'kernels' if selection.by == 'kernel' else 'time'} on {machine}",
        subtitle=_subtitle(selection, trend),
        query=_address(selection, trend).query(),
        by=selection.by,
        test=selection.test,
        label=label,
        metric=selection.metric,
        metric_label=metric_label(selection.metric),
        higher_is_better=metric.higher_is_better,
        unit=unit.name,
        base_unit=unit.base,
        per=unit.per,
        series=[series for series in all_series if series.runs],
        notes=_notes(trend, results),
        runs=[str(run.id) for run in runs],
        run_list=[_run_line(run, results[run.id]) for run in runs],
        older=str(min(run.id for run in runs)) if trend.older else None,
        computing=[str(run.id) for run in runs if run.runstate.state in UNFINISHED],
        statistics_version=STATISTICS_VERSION,
        benchdb_version=__version__,
    )


def _series(selection: TrendSelection, series: Series, results: Mapping[UUID, Measured], unit: Unit) -> TrendSeries:
    """One line of the chart."""
    runs = in_order([run for run in series.runs if run.id in results], selection.by)
    cells = cells_of([results[run.id] for run in runs], unit, {run.id: run for run in runs})
    searched = history(selection, runs, cells)
    return TrendSeries(
        label=series.file_system,
        runs=[str(run.id) for run in runs],
        cells=cells,
        changes=searched.changes,
        change_points=searched.change_points,
        segments=searched.segments,
        outliers=searched.outliers,
        noise=searched.noise,
        days=searched.days,
        correlation=searched.correlation,
        unsearched=searched.unsearched,
        others=[
            OtherRuns(list(names), ", ".join(DIMENSIONS[name].label for name in names), number)
            for names, number in series.others.items()
        ],
    )


def _run_line(run: Run, result: Measured) -> RunLine:
    line = run_line(run, run.target.file_system or "unknown", result.parser_version, machine_names([run]))
    return replace(line, kernel=line.kernel or "unknown")


def _subtitle(selection: TrendSelection, trend: TrendRuns) -> str:
    """`fsload · ext4 · throughput · 1 GiB file · 64 KiB records`: the common properties of all points."""
    nouns = {"file_size": "file", "record_size": "records", "threads": "threads"}
    fixed = {name: getattr(selection, name) for name in nouns}
    texts = [
        f"{DIMENSIONS[name].print(value)} {nouns[name]}"
        for name, value in fixed.items()
        if value is not None and (name, value) != ("threads", 1)
    ]
    names = ", ".join(series.file_system for series in trend.series)
    return " · ".join([trend.origin.tool, names, metric_label(selection.metric), *texts])


def _address(selection: TrendSelection, trend: TrendRuns) -> TrendSelection:
    """The selection with nothing left open: a run instead of a machine."""
    systems = tuple(series.file_system for series in trend.series)
    return selection.replace(run=trend.origin.id, machine=None, tool="", file_systems=systems)


def _notes(trend: TrendRuns, results: Mapping[UUID, Measured]) -> list[str]:
    without = sum(run.id not in results for series in trend.series for run in series.runs)
    notes = [f"Left out: {plural(without, 'run')} without this result."] if without else []
    former = sum(result.statistics_version not in (None, STATISTICS_VERSION) for result in results.values())
    if former:
        notes.append(f"The statistics of {plural(former, 'run')} are computed anew; till then the former ones stand.")
    return [*notes, "Older runs are not shown."] if trend.older else notes
