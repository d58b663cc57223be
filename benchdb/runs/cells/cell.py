"""A cell of a table, surface or trend: figures in base units, texts in the displayed unit, and its verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TypeVar
from uuid import UUID

from benchdb.runs.models import Run, State
from benchdb.runs.queries import GivenFigures, Measured, ValuePlace
from benchdb.stats import SummaryRow, matrix, optional, several_runs, summarise
from benchdb.wording.numbers import decimals_of, say_mean_and_sd, say_number
from benchdb.wording.units import Unit

from .clock_and_cache import CellCache, CellClock, caches, clocks
from .verdict import CellVerdict, CellWarning, TailVerdict
from .warnings import stored_warning, with_sentence_about_runs

T = TypeVar("T")
Judged = TypeVar("Judged", CellClock, CellCache)


@dataclass(frozen=True, slots=True)
class CellText:
    """Mean and sd in the displayed unit; "" for an unknown figure.

    The cell displays `shown` and `beneath`, which are another figure if the table shows another statistic.
    """

    mean: str
    sd: str
    shown: str
    beneath: str


@dataclass(slots=True, kw_only=True)
class Cell:
    """What was measured at one place; figures are in base units and None if they do not exist.

    `status` is ok, failed, unmeasurable, mixed, computing or deleted. The sample is the values of a run's rounds, or
    the means of several runs; n counts these. `within_sd` and `between_sd` are for several runs: the sd inside runs,
    and the sd between runs without the part that their rounds explain. `low` and `high` bound the 95 % interval of the
    mean. `outliers` are indices of `values`, `places` the place of each value in the raw output.

    `tail` compares its slowest operations with those of the baseline; None without distributions of latencies.

    `look` counts how often the run of the cell was looked at while it grew; 0 if it cannot grow.
    `runs` are the runs' ids and `ordinals` their results. The quantity is given by `test` to `params`; a field is None
    if runs differ in it. A table judges its cells in place: `verdict` compares the cell with its baseline, `best` marks
    the best of its rivals and those that tie with it, and `inside` names the facts in which the runs of the cell
    differ. A mixed cell has no figure, because its runs did different work or ran on different hardware: the dimension
    `splits` separates them.
    """

    status: str
    error: str | None
    n: int | None
    mean: float | None
    sd: float | None
    within_sd: float | None = None
    between_sd: float | None = None
    median: float | None
    minimum: float | None
    maximum: float | None
    low: float | None
    high: float | None
    median_low: float | None
    median_high: float | None
    text: CellText
    values: list[float | None] | None
    outliers: list[int]
    warnings: list[CellWarning]
    runs: list[str]
    ordinals: list[int]
    places: list[ValuePlace | None]
    test: str | None
    metric: str
    file_size: int | None
    record_size: int | None
    threads: int | None
    params: dict[str, object] | None
    look: int = 0
    clock: CellClock
    cache: CellCache
    verdict: CellVerdict | None = None
    baseline: bool = False
    best: bool = False
    inside: list[str] | None = None
    splits: str | None = None
    tail: TailVerdict | None = None


def cells_of(results: Sequence[Measured], unit: Unit, runs: Mapping[UUID, Run]) -> list[Cell]:
    """The cells of these results, in order. The values of a result are the sample of its cell: n counts rounds."""
    if not results:
        return []
    judged = zip(results, clocks(results, runs), caches(results, runs), strict=True)
    warnings: dict[int, list[CellWarning]] = {}  # by identity: results with equal warnings share one (runs.queries)
    for result in results:
        if result.warnings and id(result.warnings) not in warnings:
            warnings[id(result.warnings)] = [stored_warning(warning) for warning in result.warnings]
    measured_by = {run_id: (run, str(run_id)) for run_id, run in runs.items()}
    return [
        _plain(
            result,
            unit,
            run,
            runs=[run_id],
            warnings=warnings.get(id(result.warnings), []),
            clock=clock,
            cache=cache,
        )
        for result, clock, cache in judged
        for run, run_id in [measured_by[result.run_id]]
    ]


def combined_cells(groups: Sequence[Sequence[Cell]], units: Sequence[Unit]) -> list[Cell]:
    """One cell for each group of cells of single runs. The sample is the means of the runs: n counts runs.

    `sd` is the sd of the runs' means. Clock and cache have the worst verdict of the group.
    """
    combined: dict[int, Cell] = {}
    for size in {len(cells) for cells in groups}:  # computed by size: fewer runs in a cell are no missing values
        indices = [i for i, cells in enumerate(groups) if len(cells) == size]
        cells_of_size = _of_one_size([groups[i] for i in indices], [units[i] for i in indices])
        combined.update(zip(indices, cells_of_size, strict=True))
    return [combined[i] for i in range(len(groups))]


def _of_one_size(groups: Sequence[Sequence[Cell]], units: Sequence[Unit]) -> Iterator[Cell]:
    figures = (attrgetter(name) for name in ("mean", "n", "sd"))
    means, counts, sds = (matrix([[figure(cell) for cell in cells] for cells in groups]) for figure in figures)
    several = several_runs(counts, means, sds)
    spreads = zip(optional(several.within_sd), optional(several.between_sd), strict=True)
    for cells, row, spread, unit in zip(groups, summarise(means).rows(), spreads, units, strict=True):
        yield _combined(cells, row, *spread, unit)


def _combined(cells: Sequence[Cell], row: SummaryRow, within: float | None, between: float | None, unit: Unit) -> Cell:
    first = cells[0]
    return Cell(
        status="ok" if row.n else first.status,
        error=next((cell.error for cell in cells if cell.error), None),
        n=row.n,
        mean=row.mean,
        sd=row.sd,
        within_sd=within,
        between_sd=between,
        median=row.median,
        minimum=row.minimum,
        maximum=row.maximum,
        low=row.mean_low,
        high=row.mean_high,
        median_low=row.median_low,
        median_high=row.median_high,
        text=_text(row.mean, row.sd, row.n, unit),
        values=[cell.mean for cell in cells],
        outliers=list(row.outliers),
        warnings=[with_sentence_about_runs(warning) for warning in row.warnings],
        runs=[run for cell in cells for run in cell.runs],
        ordinals=[ordinal for cell in cells for ordinal in cell.ordinals],
        places=[],
        test=_common([cell.test for cell in cells]),
        metric=first.metric,
        file_size=_common([cell.file_size for cell in cells]),
        record_size=_common([cell.record_size for cell in cells]),
        threads=_common([cell.threads for cell in cells]),
        params=_common([cell.params for cell in cells]),
        clock=_worst([cell.clock for cell in cells], ("unusable", "coarse", "unknown", "fine")),
        cache=_worst([cell.cache for cell in cells], ("cached", "mixed", "unknown", "device")),
    )


def _common(values: Sequence[T]) -> T | None:
    """The value that all cells have; None if they differ."""
    return values[0] if all(value == values[0] for value in values) else None


def _worst(judgements: Sequence[Judged], order: Sequence[str]) -> Judged:
    return min(judgements, key=lambda judgement: order.index(judgement.verdict))


def _text(
    mean: float | None, sd: float | None, n: int | None, unit: Unit, given: GivenFigures | None = None
) -> CellText:
    text = say_mean_and_sd(mean, sd, n, unit, printed=given is not None, step=(given or {}).get("step"))
    return CellText(text["mean"], text["sd"], text["mean"], text["sd"])


def text_of_statistic(cell: Cell, statistic: str, unit: Unit) -> CellText:
    """The text with another statistic than the mean as the displayed figure; `unknown` if the cell has only a mean.

    The sd is hidden then: it belongs to the mean, and readers would take it for the error of the other statistic.
    """
    if cell.mean is None or statistic == "mean":
        return cell.text
    value: float | None = getattr(cell, statistic)
    decimals = decimals_of(cell.mean, cell.sd, cell.n, unit)
    shown = "unknown" if value is None else say_number(value / unit.per, decimals)
    return replace(cell.text, shown=shown, beneath="")


def _plain(
    measured: Measured,
    unit: Unit,
    run: Run,
    *,
    runs: list[str],
    warnings: list[CellWarning],
    clock: CellClock,
    cache: CellCache,
) -> Cell:
    status, error = _status(measured, run)
    return Cell(
        status=status,
        error=error,
        n=measured.n,
        mean=measured.mean,
        sd=measured.sd,
        median=measured.median,
        minimum=measured.minimum,
        maximum=measured.maximum,
        low=measured.mean_low,
        high=measured.mean_high,
        median_low=measured.median_low,
        median_high=measured.median_high,
        text=_text(measured.mean, measured.sd, measured.n, unit, measured.given),
        values=measured.values,
        outliers=measured.outliers or [],
        warnings=warnings,
        runs=runs,
        ordinals=[measured.ordinal],
        places=measured.source or [],
        test=measured.test,
        metric=measured.metric,
        file_size=measured.file_size,
        record_size=measured.record_size,
        threads=measured.threads,
        params=measured.params,
        look=run.look,
        clock=clock,
        cache=cache,
    )


def _status(measured: Measured, run: Run) -> tuple[str, str | None]:
    """Status and error as stored; if the statistics are missing, `computing`, or `failed` with the reason."""
    if measured.status != "ok" or measured.mean is not None:
        return measured.status, measured.error
    if run.runstate.state == State.FAILED:
        return "failed", run.runstate.failure
    return "computing", None
