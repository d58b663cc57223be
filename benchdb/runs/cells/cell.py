"""A cell of a table or surface as plain data: numbers in base units, texts in the displayed unit, verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from benchdb.runs.models import Run, State
from benchdb.runs.queries import Measured
from benchdb.stats import SummaryRow, matrix, optional, several_runs, summarise
from benchdb.wording.numbers import decimals_of, say_mean_and_sd, say_number
from benchdb.wording.units import Unit

from .clock_and_cache import caches, clocks
from .warnings import stored_warning, with_sentence_about_runs

Cell = dict[str, Any]

MEASURED = ("test", "metric", "file_size", "record_size", "threads", "params")  # the quantity of a cell


def cells_of(results: Sequence[Measured], unit: Unit, runs: Mapping[UUID, Run]) -> list[Cell]:
    """The cells of these results, in order. The values of a result are the sample of its cell: n counts rounds."""
    if not results:
        return []
    judged = zip(results, clocks(results, runs), caches(results, runs), strict=True)
    ids = {run_id: str(run_id) for run_id in runs}
    warnings: dict[int, list[Any]] = {}  # by identity: results with equal warnings share one list (runs.queries)
    for result in results:
        if result.warnings and id(result.warnings) not in warnings:
            warnings[id(result.warnings)] = [stored_warning(warning) for warning in result.warnings]
    return [
        {
            **_plain(result, unit, runs[result.run_id], ids[result.run_id]),
            "warnings": warnings.get(id(result.warnings), []),
            "clock": clock,
            "cache": cache,
        }
        for result, clock, cache in judged
    ]


def combined_cells(groups: Sequence[Sequence[Cell]], units: Sequence[Unit]) -> list[Cell]:
    """One cell for each group of cells of single runs. The sample is the means of the runs: n counts runs.

    `sd` is the sd of the runs' means, `within_sd` that of the rounds inside a run, and `between_sd` that of the runs
    without the part that their rounds explain. Clock and cache have the worst verdict of the group.
    """
    combined: list[Cell] = [{}] * len(groups)
    for size in {len(cells) for cells in groups}:  # computed by size: fewer runs in a cell are no missing values
        indices = [i for i, cells in enumerate(groups) if len(cells) == size]
        cells_of_size = _of_one_size([groups[i] for i in indices], [units[i] for i in indices])
        for i, cell in zip(indices, cells_of_size, strict=True):
            combined[i] = cell
    return combined


def _of_one_size(groups: Sequence[Sequence[Cell]], units: Sequence[Unit]) -> Iterator[Cell]:
    means, counts, sds = (matrix([[cell[name] for cell in cells] for cells in groups]) for name in ("mean", "n", "sd"))
    several = several_runs(counts, means, sds)
    spreads = zip(optional(several.within_sd), optional(several.between_sd), strict=True)
    for cells, row, spread, unit in zip(groups, summarise(means).rows(), spreads, units, strict=True):
        yield _combined(cells, row, *spread, unit)


def _combined(cells: Sequence[Cell], row: SummaryRow, within: float | None, between: float | None, unit: Unit) -> Cell:
    means = [cell["mean"] for cell in cells]
    return {
        "status": "ok" if row.n else next(cell["status"] for cell in cells),
        "error": next((cell["error"] for cell in cells if cell["error"]), None),
        "n": row.n,
        "mean": row.mean,
        "sd": row.sd,
        "within_sd": within,
        "between_sd": between,
        "median": row.median,
        "minimum": row.minimum,
        "maximum": row.maximum,
        "low": row.mean_low,
        "high": row.mean_high,
        "median_low": row.median_low,
        "median_high": row.median_high,
        "text": _text(row.mean, row.sd, row.n, unit),
        "values": means,
        "run_means": means,
        "outliers": list(row.outliers),
        "warnings": [with_sentence_about_runs(warning) for warning in row.warnings],
        "runs": [run for cell in cells for run in cell["runs"]],
        "ordinals": [ordinal for cell in cells for ordinal in cell["ordinals"]],
        "places": [],
        **{name: value if all(cell[name] == value for cell in cells) else None for name, value in _quantity(cells[0])},
        "clock": _worst(cells, "clock", ("unusable", "coarse", "unknown", "fine")),
        "cache": _worst(cells, "cache", ("cached", "mixed", "unknown", "device")),
    }


def _quantity(cell: Cell) -> Iterator[tuple[str, Any]]:
    return ((name, cell[name]) for name in MEASURED)


def _text(
    mean: float | None, sd: float | None, n: int | None, unit: Unit, given: dict[str, Any] | None = None
) -> dict[str, str]:
    """Mean and sd as text; the cell displays `shown` and `beneath`, which `show_statistic` may change."""
    text = say_mean_and_sd(mean, sd, n, unit, printed=given is not None, step=(given or {}).get("step"))
    return {**text, "shown": text["mean"], "beneath": text["sd"]}


def show_statistic(cell: Cell, statistic: str, unit: Unit) -> None:
    """Display another statistic than the mean; `unknown` if the cell has only a mean.

    The sd is hidden then: it belongs to the mean, and readers would take it for the error of the other statistic.
    """
    if cell["mean"] is None or statistic == "mean":
        return
    value = cell[statistic]
    decimals = decimals_of(cell["mean"], cell["sd"], cell["n"], unit)
    cell["text"]["beneath"] = ""
    cell["text"]["shown"] = "unknown" if value is None else say_number(value / unit.per, decimals)


def _worst(cells: Sequence[Cell], name: str, order: Sequence[str]) -> dict[str, Any]:
    worst: dict[str, Any] = min((cell[name] for cell in cells), key=lambda judgement: order.index(judgement["verdict"]))
    return worst


def _plain(measured: Measured, unit: Unit, run: Run, run_id: str) -> Cell:
    # A publication may give a mean without its n.
    n = measured.n if measured.n or measured.mean is None else None
    status, error = _status(measured, run)
    return {
        "status": status,
        "error": error,
        "n": n,
        "mean": measured.mean,
        "sd": measured.sd,
        "median": measured.median,
        "minimum": measured.minimum,
        "maximum": measured.maximum,
        "low": measured.mean_low,
        "high": measured.mean_high,
        "median_low": measured.median_low,
        "median_high": measured.median_high,
        "text": _text(measured.mean, measured.sd, n, unit, measured.given),
        "values": measured.values,
        "outliers": measured.outliers or [],
        "warnings": [],
        "runs": [run_id],
        "ordinals": [measured.ordinal],
        "places": measured.source or [],
        "test": measured.test,
        "metric": measured.metric,
        "file_size": measured.file_size,
        "record_size": measured.record_size,
        "threads": measured.threads,
        "params": measured.params,
    }


def _status(measured: Measured, run: Run) -> tuple[str, str | None]:
    """Status and error as stored; if the statistics are missing, `computing`, or `failed` with the reason."""
    if measured.status != "ok" or measured.mean is not None:
        return measured.status, measured.error
    if run.runstate.state == State.FAILED:
        return "failed", run.runstate.failure
    return "computing", None
