"""What the runs of a second measurement say about a suspected change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchagent.formats.vocabulary import METRICS
from benchdb.compare.trend.evaluate import OF_RESULT, evaluate_trend
from benchdb.compare.trend.selection import TrendSelection, canonical
from benchdb.compare.verdicts.gates import why_of_gate
from benchdb.compare.verdicts.pairs import stack
from benchdb.runs.cells.cell import Cell, cells_of
from benchdb.runs.models import Run
from benchdb.runs.queries import Measured, measured
from benchdb.stats.arrays import FloatArray
from benchdb.stats.comparing.verdict import Verdict
from benchdb.stats.gate import PairedRounds, Undecided, judge
from benchdb.stats.new_day import FEWEST_DAYS, NewDay, new_day
from benchdb.stats.sentences import NO_VERDICTS
from benchdb.wording.changes import effect_in_words, range_in_words
from benchdb.wording.units import UNITS

from .limits import MARGIN
from .models import Alert, AlertState
from .suspicion import level_before


@dataclass(frozen=True, slots=True)
class Judgement:
    """The new state of an alert, and the sentence with the reason."""

    state: AlertState
    reason: str


def judge_settings(alert: Alert, old: Run, new: Run) -> Judgement:
    """Compare the settings in the rounds that both have, as a gate does.

    Raises ImpossibleSelection if the query of the watch is impossible now.
    """
    selection = TrendSelection.parse(alert.watch.query)
    cells = _cells(selection, [old, new])
    if len(cells) < 2:
        return Judgement(AlertState.UNMEASURABLE, "A run of its plan lacks the result.")
    reason = next((reason for reason in stack(cells).barred if reason is not None), None)
    if reason is not None:
        return Judgement(AlertState.UNMEASURABLE, NO_VERDICTS[reason])
    higher = METRICS[selection.metric].higher_is_better
    pairs = PairedRounds(_values(cells[0]), _values(cells[1]), higher_is_better=higher)
    [found] = judge([pairs], [min(len(pairs.baseline), len(pairs.candidate))], 1, MARGIN)
    # A watch looks for any lasting change; a gate fails only for one that is larger than the margin.
    small = found.undecided is Undecided.MARGIN and alert.kind == Verdict.WORSE
    confirmed = small or found.verdict.value == alert.kind
    sentence = why_of_gate(found, selection.metric, MARGIN)
    return Judgement(AlertState.CONFIRMED if confirmed else AlertState.NOT_CONFIRMED, sentence)


def judge_repetition(alert: Alert, new: Run) -> Judgement:
    """Compare a repetition of the present setting with the days before the change. Raises ImpossibleSelection."""
    selection = TrendSelection.parse(alert.watch.query)
    cells = _cells(selection, [new])
    if not cells or not cells[0].mean:
        return Judgement(AlertState.UNMEASURABLE, "The run of its plan lacks the result.")
    content, _ = evaluate_trend(selection, alert.watch.owner)
    days = level_before(content, alert.before_id)
    found = new_day(days, cells[0].mean)
    if found is None:
        return Judgement(
            AlertState.UNMEASURABLE, f"There are fewer than {FEWEST_DAYS} days before the change to compare with."
        )
    same_side = (found.ratio > 1) == (alert.ratio > 1)
    confirmed = found.is_outside and same_side and abs(found.ratio - 1) >= MARGIN
    return Judgement(
        AlertState.CONFIRMED if confirmed else AlertState.NOT_CONFIRMED, _say(selection.metric, found, len(days))
    )


def _say(metric: str, found: NewDay, days: int) -> str:
    place = "outside" if found.is_outside else "inside"
    return (
        f"The repetition, against the level of the {days} days before: {effect_in_words(metric, found.ratio).phrase}, "
        f"{place} the 95 % prediction interval of these days ({range_in_words(metric, found.low, found.high)})."
    )


def _cells(selection: TrendSelection, runs: Sequence[Run]) -> list[Cell]:
    """The result of the selection in each run, in the order of the runs; a run without it is left out."""
    filters = {name: [getattr(selection, name)] for name in OF_RESULT}
    found: dict[object, Measured] = {}
    for result in measured((run.pk for run in runs), filters):
        if not selection.params or canonical(result.params) == selection.params:
            found.setdefault(result.run_id, result)
    results = [found[run.pk] for run in runs if run.pk in found]
    return cells_of(results, UNITS[selection.unit], {run.pk: run for run in runs})


def _values(cell: Cell) -> FloatArray:
    """(R,) the values by round; NaN for a round without one."""
    return np.array([np.nan if value is None else value for value in cell.values or []], dtype=float)
