"""A cell of a table or surface as plain data: numbers in base units, text in the shown unit, verdicts, places."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from benchdb.stats import summarise

from .judgements import caches, clocks
from .models import Run, State
from .numbers import say_mean_and_sd
from .queries import Measured
from .units import Unit
from .warnings import said_of_runs, stored

Cell = dict[str, Any]


def cells_of_run(results: Sequence[Measured], unit: Unit, run: Run) -> list[Cell]:
    """The cells of results of one run, in their order: each one's values are the sample, so n counts rounds."""
    if not results:
        return []
    judged = zip(results, clocks(results, run), caches(results, run), strict=True)
    return [{**_plain(result, unit, run), "clock": clock, "cache": cache} for result, clock, cache in judged]


def combined_cell(cells: Sequence[Cell], unit: Unit) -> Cell:
    """The cell where several runs meet: their means are the sample, n counts runs, clock and cache are the worst.

    Its sd is that between the runs' means; `within_sd` is that of the rounds inside the runs.
    """
    means = [cell["mean"] for cell in cells]
    (row,) = summarise(np.array([means], dtype=float)).rows()
    status = "ok" if row.n else next(cell["status"] for cell in cells)
    return {
        "status": status,
        "error": next((cell["error"] for cell in cells if cell["error"]), None),
        "n": row.n,
        "mean": row.mean,
        "sd": row.sd,
        "within_sd": _pooled_sd(cells),
        "median": row.median,
        "low": row.mean_low,
        "high": row.mean_high,
        "median_low": row.median_low,
        "median_high": row.median_high,
        "text": say_mean_and_sd(row.mean, row.sd, row.n, unit),
        "values": means,
        "outliers": list(row.outliers),
        "warnings": [said_of_runs(warning) for warning in row.warnings],
        "runs": [run for cell in cells for run in cell["runs"]],
        "ordinals": [ordinal for cell in cells for ordinal in cell["ordinals"]],
        "places": [],
        "clock": _worst(cells, "clock", ("unusable", "coarse", "unknown", "fine")),
        "cache": _worst(cells, "cache", ("cached", "mixed", "unknown", "device")),
    }


def _pooled_sd(cells: Sequence[Cell]) -> float | None:
    """The sd inside the runs: the square root of their variances' mean, weighted by n − 1; None where none has one."""
    known = [(cell["n"] - 1, cell["sd"]) for cell in cells if cell["sd"] is not None and (cell["n"] or 0) > 1]
    freedom = sum(weight for weight, _ in known)
    return math.sqrt(sum(weight * sd**2 for weight, sd in known) / freedom) if freedom else None


def _worst(cells: Sequence[Cell], name: str, order: Sequence[str]) -> dict[str, Any]:
    worst: dict[str, Any] = min((cell[name] for cell in cells), key=lambda judged: order.index(judged["verdict"]))
    return worst


def _plain(measured: Measured, unit: Unit, run: Run) -> Cell:
    n, mean, sd = measured.n, measured.mean, measured.sd
    if measured.given is not None:
        n, mean, sd = measured.given.get("n"), measured.given["mean"], measured.given.get("sd")
    return {
        **_status(measured, run),
        "n": n,
        "mean": mean,
        "sd": sd,
        "median": measured.median,
        "low": measured.mean_low,
        "high": measured.mean_high,
        "median_low": measured.median_low,
        "median_high": measured.median_high,
        "text": say_mean_and_sd(mean, sd, n, unit),
        "values": measured.values,
        "outliers": measured.outliers or [],
        "warnings": [stored(warning) for warning in measured.warnings or []],
        "runs": [str(run.id)],
        "ordinals": [measured.ordinal],
        "places": measured.source or [],
    }


def _status(measured: Measured, run: Run) -> dict[str, str | None]:
    """As stored; where the values are there and no statistics, `computing`, or why the statistics failed."""
    if measured.status != "ok" or measured.mean is not None or measured.given is not None:
        return {"status": measured.status, "error": measured.error}
    if run.runstate.state == State.FAILED:
        return {"status": "failed", "error": run.runstate.failure}
    return {"status": "computing", "error": None}
