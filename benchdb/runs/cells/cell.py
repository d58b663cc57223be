"""A cell of a table or surface as plain data: numbers in base units, text in the shown unit, verdicts, places."""

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
from .warnings import said_of_runs, stored

Cell = dict[str, Any]

MEASURED = ("test", "metric", "file_size", "record_size", "threads", "params")  # what a cell's figures are of


def cells_of(results: Sequence[Measured], unit: Unit, runs: Mapping[UUID, Run]) -> list[Cell]:
    """The cells of results of these runs, in their order: each one's values are the sample, so n counts rounds."""
    if not results:
        return []
    judged = zip(results, clocks(results, runs), caches(results, runs), strict=True)
    ids = {run_id: str(run_id) for run_id in runs}
    said: dict[int, list[Any]] = {}
    for each in results:  # rows that say the same share one list: read once, said once
        if each.warnings and id(each.warnings) not in said:
            said[id(each.warnings)] = [stored(warning) for warning in each.warnings]
    return [
        {
            **_plain(result, unit, runs[result.run_id], ids[result.run_id]),
            "warnings": said.get(id(result.warnings), []),
            "clock": clock,
            "cache": cache,
        }
        for result, clock, cache in judged
    ]


def combined_cells(groups: Sequence[Sequence[Cell]], units: Sequence[Unit]) -> list[Cell]:
    """The cells where several runs meet, a group of cells of one run each: their means are the sample, n counts runs.

    `sd` is that of the runs' means; `within_sd` that of the rounds inside a run, `between_sd` that of the runs apart
    from what their rounds explain. Clock and cache are the worst.
    """
    found: list[Cell] = [{}] * len(groups)
    for size in {len(cells) for cells in groups}:  # a run fewer in one cell than in another is not a missing value
        places = [place for place, cells in enumerate(groups) if len(cells) == size]
        own = _of_one_size([groups[place] for place in places], [units[place] for place in places])
        for place, cell in zip(places, own, strict=True):
            found[place] = cell
    return found


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
        "warnings": [said_of_runs(warning) for warning in row.warnings],
        "runs": [run for cell in cells for run in cell["runs"]],
        "ordinals": [ordinal for cell in cells for ordinal in cell["ordinals"]],
        "places": [],
        **{name: own if all(cell[name] == own for cell in cells) else None for name, own in _of(cells[0])},
        "clock": _worst(cells, "clock", ("unusable", "coarse", "unknown", "fine")),
        "cache": _worst(cells, "cache", ("cached", "mixed", "unknown", "device")),
    }


def _of(cell: Cell) -> Iterator[tuple[str, Any]]:
    return ((name, cell[name]) for name in MEASURED)


def _text(
    mean: float | None, sd: float | None, n: int | None, unit: Unit, given: dict[str, Any] | None = None
) -> dict[str, str]:
    """Mean and sd as text; `shown` and `beneath` are what the cell shows, unless `show_statistic` changes it."""
    text = say_mean_and_sd(mean, sd, n, unit, printed=given is not None, step=(given or {}).get("step"))
    return {**text, "shown": text["mean"], "beneath": text["sd"]}


def show_statistic(cell: Cell, statistic: str, unit: Unit) -> None:
    """Make another statistic than the mean the cell's large number; `unknown` where there is only a mean.

    The sd belongs to the mean; under another statistic it would be taken for its error.
    """
    if cell["mean"] is None or statistic == "mean":
        return
    value = cell[statistic]
    decimals = decimals_of(cell["mean"], cell["sd"], cell["n"], unit)
    cell["text"]["beneath"] = ""
    cell["text"]["shown"] = "unknown" if value is None else say_number(value / unit.per, decimals)


def _worst(cells: Sequence[Cell], name: str, order: Sequence[str]) -> dict[str, Any]:
    worst: dict[str, Any] = min((cell[name] for cell in cells), key=lambda judged: order.index(judged["verdict"]))
    return worst


def _plain(measured: Measured, unit: Unit, run: Run, run_id: str) -> Cell:
    # A publication may not say of how many values its mean is.
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
    """As stored; where the figures are there and no statistics, `computing`, or why the statistics failed."""
    if measured.status != "ok" or measured.mean is not None:
        return measured.status, measured.error
    if run.runstate.state == State.FAILED:
        return "failed", run.runstate.failure
    return "computing", None
