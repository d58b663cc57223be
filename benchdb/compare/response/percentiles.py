"""Percentiles of all rounds of a level together, from the distributions of latencies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from benchdb.runs.cells.cell import Cell, CellText
from benchdb.runs.costs import before_distributions
from benchdb.runs.distributions.reading import PackedRounds, distributions_of
from benchdb.runs.distributions.section import say_latency
from benchdb.runs.queries import Measured
from benchdb.stats.distributions.percentiles import distribution_of, interval, shown_shares, together
from benchdb.wording.numbers import say_number
from benchdb.wording.units import Unit

from .content import ResponseContent, ResponseCurve, ResponsePoint, Together

MOST_DISTRIBUTIONS = 20_000  # rounds, as in a table
NOTE = "Percentiles are those of all rounds together; their intervals come from drawing whole rounds again."
_PREFIX = "latency_p"

Distributions = Mapping[tuple[UUID, int], PackedRounds]


def share_of(metric: str) -> float | None:
    """0.999 of `latency_p999`; None for other metrics."""
    digits = metric.removeprefix(_PREFIX)
    return float(f"0.{digits}") if metric.startswith(_PREFIX) and digits.isdigit() else None


def distributions_behind(metric: str, results: Sequence[Measured]) -> tuple[Distributions, list[str]]:
    """The distributions behind the percentiles among these results, and a note if they are too many; one query.

    None are read for other metrics. Raises MustWait.
    """
    of_metric = [each for each in results if each.metric == metric and each.values]
    if share_of(metric) is None or not of_metric:
        return {}, []
    rounds = sum(len(each.values or ()) for each in of_metric)
    if rounds > MOST_DISTRIBUTIONS:
        figures = f"{say_number(rounds, 0)} rounds, {say_number(MOST_DISTRIBUTIONS, 0)} at most"
        return {}, [f"Percentiles are means of those of the rounds: {figures}."]
    before_distributions(rounds)
    return distributions_of((each.run_id, each.ordinal) for each in of_metric), []


def with_percentiles(curves: Sequence[ResponseCurve], metric: str, distributions: Distributions) -> list[ResponseCurve]:
    """The curves with the percentile of all rounds together at each point whose runs have distributions."""
    share = share_of(metric)
    if share is None or not distributions:
        return [*curves]
    return [
        replace(curve, points=[_with_percentile(point, share, distributions) for point in curve.points])
        for curve in curves
    ]


def notes_of(curves: Sequence[ResponseCurve]) -> list[str]:
    """The note on percentiles of all rounds together, if there are some."""
    return [NOTE] if any(point.together for curve in curves for point in curve.points) else []


def both_figures(content: ResponseContent) -> str:
    """`both means`: what the intervals of a point are of."""
    return "both figures" if notes_of(content.curves) else "both means"


def _with_percentile(point: ResponsePoint, share: float, distributions: Distributions) -> ResponsePoint:
    cell = point.latency
    if cell is None or cell.mean is None:
        return point
    found = [distributions.get((UUID(run), ordinal)) for run, ordinal in zip(cell.runs, cell.ordinals, strict=True)]
    packed = [each for of_run in found if of_run is not None for each in of_run]
    if None in found or not any(packed):
        return point
    distribution = distribution_of(packed)
    operations = int(distribution.operations.sum())
    if not shown_shares(operations, [share]):
        return point
    # Of several runs, rounds are no sample: they share the day and the preparation of their run.
    bounds = interval(distribution, [share]) if len(cell.runs) == 1 else None
    (value,) = together(distribution, [share]).tolist()
    low, high = (None, None) if bounds is None else (float(bounds.low[0]), float(bounds.high[0]))
    return replace(point, together=Together(value, low, high, operations))


def shown_latency(point: ResponsePoint, unit: Unit) -> Cell | None:
    """The cell of the latency as pages show it: with the percentile of all rounds together if there is one.

    Its values are those of the rounds; an sd of them would be taken for the error of the percentile.
    """
    cell, merged = point.latency, point.together
    if cell is None or merged is None:
        return cell
    text = say_latency(merged.value, unit)
    return replace(
        cell, mean=merged.value, low=merged.low, high=merged.high, sd=None, text=CellText(text, "", text, "")
    )
