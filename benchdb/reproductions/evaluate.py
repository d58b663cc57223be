"""Compares two campaigns of one plan: the conclusions of the first, and its figures if the hardware is alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

import numpy as np

from benchagent.formats.vocabulary import METRICS
from benchdb.compare.guard import changes
from benchdb.compare.query.selection import MARGIN
from benchdb.compare.verdicts.pairs import Sides, compare_sides, stack
from benchdb.facts.options import settings_value
from benchdb.runs.cells.cell import Cell, cells_of
from benchdb.runs.models import Run
from benchdb.runs.queries import Measured, measured
from benchdb.stats import STATISTICS_VERSION, Cells, Comparisons, NoVerdict, optional
from benchdb.stats.arrays import BoolArray, FloatArray
from benchdb.stats.comparing.cells import unlike
from benchdb.stats.comparing.reproduction import Reproduced, ReproductionAnswer, conclusions_again, values_again
from benchdb.wording.units import UNITS

from .content import (
    SCHEMA,
    StoredConclusion,
    StoredDifference,
    StoredFigure,
    StoredQuantityPlace,
    StoredRatio,
    StoredReproduction,
)

# What a plan is measured for; a split of CPU time or an extreme latency is no conclusion.
COMPARED = ("throughput", "rate", "elapsed", "latency_mean")
MOST_DIFFERENCES = 20
ITSELF = "machine"  # the fact that differs in every pair
ORIGINAL, REPETITION = 0, 1

Quantity = tuple[str, str, str, int | None, int | None, int | None, str | None]  # of a workload
Key = tuple[int, str, Quantity]  # side, target, quantity


@dataclass(frozen=True, slots=True)
class RepeatedPoint:
    """A point that both campaigns measured, with the run of each."""

    target: str
    workload: str
    original: Run
    repetition: Run


class _Stacked(NamedTuple):
    """Cells by key, and as columns for `benchdb.stats` with the place of each."""

    cells: Mapping[Key, Cell]
    places: Mapping[Key, int]
    columns: Cells

    def sides(self, pairs: Sequence[tuple[Key, Key]]) -> Sides:
        """The first cells of these pairs, and the second."""
        first, second = (self.columns.take([self.places[pair[side]] for pair in pairs]) for side in (0, 1))
        return first, second


def evaluate(points: Sequence[RepeatedPoint], targets: Sequence[str]) -> StoredReproduction:
    """The comparison of these points; the first of the `targets` that both measured is the baseline. One query.

    The caller bounds the results of the points: each takes 230 µs.
    """
    cells = _cells(points)
    stacked = _Stacked(cells, {key: index for index, key in enumerate(cells)}, stack(list(cells.values())))
    differences = _differences(points)
    alike = not differences
    return StoredReproduction(
        schema=SCHEMA,
        statistics_version=STATISTICS_VERSION,
        margin=MARGIN,
        points=len(points),
        alike=alike,
        differences=differences[:MOST_DIFFERENCES],
        conclusions=list(_conclusions(stacked, targets)),
        figures=list(_figures(stacked)) if alike else [],
    )


def _cells(points: Sequence[RepeatedPoint]) -> dict[Key, Cell]:
    runs: dict[UUID, Run] = {}
    places: dict[UUID, tuple[int, RepeatedPoint]] = {}
    for point in points:
        for side, run in ((ORIGINAL, point.original), (REPETITION, point.repetition)):
            runs[run.pk], places[run.pk] = run, (side, point)
    results = measured(runs, {"metric": COMPARED})
    cells: dict[Key, Cell] = {}
    # The unit is that of texts, which are not used.
    for result, cell in zip(results, cells_of(results, UNITS["s"], runs), strict=True):
        side, point = places[result.run_id]
        cells[side, point.target, _quantity(point.workload, result)] = cell
    both = {key[1:] for key in cells if key[0] == ORIGINAL} & {key[1:] for key in cells if key[0] == REPETITION}
    return {key: cell for key, cell in cells.items() if key[1:] in both}


def _quantity(workload: str, result: Measured) -> Quantity:
    params = settings_value(result.params)
    return (workload, result.test, result.metric, result.file_size, result.record_size, result.threads, params)


def _conclusions(stacked: _Stacked, targets: Sequence[str]) -> Iterator[StoredConclusion]:
    """The conclusions of the original, each with its answer."""
    of_quantity: dict[Quantity, list[str]] = {}
    for side, target, quantity in stacked.cells:
        if side == ORIGINAL:
            of_quantity.setdefault(quantity, []).append(target)
    order = {target: index for index, target in enumerate(targets)}
    rows: list[tuple[Quantity, str, str]] = []
    for quantity, found in of_quantity.items():
        baseline, *others = sorted(found, key=lambda target: order.get(target, len(order)))
        rows += [(quantity, target, baseline) for target in others]
    if not rows:
        return
    sides = [
        stacked.sides([((side, target, quantity), (side, baseline, quantity)) for quantity, target, baseline in rows])
        for side in (ORIGINAL, REPETITION)
    ]
    upward = [METRICS[quantity[2]].higher_is_better for quantity, _, _ in rows]
    first, second = (compare_sides(cells, upward, correction="holm") for cells in sides)
    comparable = ~(unlike(sides[0][0], sides[1][0]) | unlike(sides[0][1], sides[1][1]))
    again = conclusions_again(first, second, comparable)
    ratios = zip(_ratios(first), _ratios(second), _changes(again), strict=True)
    reasons = _reasons(second, comparable)
    for i, ((quantity, target, baseline), (original, repetition, change)) in enumerate(zip(rows, ratios, strict=True)):
        if (answer := again.answer[i]) is not None:
            yield StoredConclusion(
                **_place(stacked.cells[ORIGINAL, target, quantity], target, quantity),
                baseline=baseline,
                verdict=first.verdict[i].value,
                verdict_again=second.verdict[i].value,
                original=original,
                repetition=repetition,
                change=change,
                answer=answer.value,
                reason=reasons[i],
            )


def _figures(stacked: _Stacked) -> Iterator[StoredFigure]:
    """The figures of both campaigns, each with its answer."""
    places = [key[1:] for key in stacked.cells if key[0] == ORIGINAL]
    if not places:
        return
    sides = stacked.sides([((REPETITION, *place), (ORIGINAL, *place)) for place in places])
    compared = compare_sides(sides, True, correction="holm")
    comparable = ~unlike(*sides)
    again, reasons = values_again(compared, comparable), _reasons(compared, comparable)
    for i, ((target, quantity), change) in enumerate(zip(places, _changes(again), strict=True)):
        place = _place(stacked.cells[ORIGINAL, target, quantity], target, quantity)
        answer = again.answer[i] or ReproductionAnswer.UNDECIDED
        yield StoredFigure(**place, change=change, answer=answer.value, reason=reasons[i])


def _place(cell: Cell, target: str, quantity: Quantity) -> StoredQuantityPlace:
    workload, test, metric, file_size, record_size, threads, _ = quantity
    return StoredQuantityPlace(
        target=target,
        workload=workload,
        test=test,
        metric=metric,
        file_size=file_size,
        record_size=record_size,
        threads=threads,
        params=cell.params or {},
    )


def _ratios(compared: Comparisons) -> list[StoredRatio]:
    return _stored(compared.ratio, *compared.interval)


def _changes(again: Reproduced) -> list[StoredRatio]:
    return _stored(again.change, *again.interval)


def _stored(*columns: FloatArray) -> list[StoredRatio]:
    finite = (optional(np.where(np.isfinite(column), column, np.nan)) for column in columns)
    return [StoredRatio(ratio=ratio, low=low, high=high) for ratio, low, high in zip(*finite, strict=True)]


def _reasons(compared: Comparisons, comparable: BoolArray) -> list[str | None]:
    """The code for each row that could not be tested."""
    codes = zip(compared.reason, comparable.tolist(), strict=True)
    return [reason.value if reason else None if fits else NoVerdict.CACHE.value for reason, fits in codes]


def _differences(points: Sequence[RepeatedPoint]) -> list[StoredDifference]:
    """The severe differences between the runs of the points, each once."""
    found: dict[str, StoredDifference] = {}
    for point in points:
        for change in changes(point.original, point.repetition):
            if change.severe and change.name != ITSELF:
                difference = StoredDifference(
                    fact=change.name, label=change.label, original=change.before, repetition=change.after
                )
                found.setdefault(change.name, difference)
    return list(found.values())
