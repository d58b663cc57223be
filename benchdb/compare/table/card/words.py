"""The lines of a card: the answer for each compared value, and what it rests on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from benchagent.formats.vocabulary import METRICS
from benchdb.compare.table.content import MeanRatio, MeanRatios, TableContent
from benchdb.wording.changes import change_in_words, metric_noun, say_no_difference
from benchdb.wording.numbers import plural, say_change

from .effects import effect
from .facts import Answer, CardLine, Compared, Effect
from .pairs import ComparedCell

MEASURED = {"device": " on the device", "unknown": ", cache state unknown", "cached": ", in memory at least in part"}
ORDER = tuple(MEASURED)  # a mean over memory is the answer only if there is no other


def line_of(
    content: TableContent, metric: str, compared: Sequence[Compared], cells: Sequence[ComparedCell]
) -> tuple[CardLine, list[Effect | None]]:
    """The line about a metric, and the effects over all cells; `cells` are the compared cells of this metric."""
    means = {row.row: row for row in content.geometric_means if row.metric == metric}
    kind = next((kind for kind in ORDER if any(getattr(row, kind) for row in means.values())), None)
    if kind is not None:
        found = [_mean(means.get(each.label), kind) for each in compared]
        number = max(mean.cells for mean in found if mean is not None)
        basis = f"geometric mean of {plural(number, 'cell')}{MEASURED[kind]}"
        effects = [_effect(mean) for mean in found]
        answers = [_answer(each, metric, one, cells) for each, one in zip(compared, effects, strict=True)]
        return CardLine(answers, _with_interval(basis, metric, effects)), effects
    counting = {each.label: [cell for cell in cells if cell.value == each.label and cell.counts] for each in compared}
    if all(len(found) == 1 for found in counting.values()):
        return _single(metric, compared, [counting[each.label][0] for each in compared]), []
    answers = [_counted(each, [cell for cell in cells if cell.value == each.label]) for each in compared]
    return CardLine(answers, f"{metric_noun(metric)}; no mean, because not every row has the same cells"), []


def _mean(row: MeanRatios | None, kind: str) -> MeanRatio | None:
    mean: MeanRatio | None = getattr(row, kind) if row is not None else None
    return mean if mean is not None and mean.ratio is not None else None


def _effect(mean: MeanRatio | None) -> Effect | None:
    return None if mean is None or mean.ratio is None else effect(mean.ratio, mean.low, mean.high)


def _answer(compared: Compared, metric: str, found: Effect | None, cells: Sequence[ComparedCell]) -> Answer:
    """The answer of a mean: equivalent if all of its cells are, because differences of tests may cancel out in it.

    A difference is claimed only if the interval does not contain 1.
    """
    if found is None:
        return Answer(compared, "none", "without a mean")
    if found.low is None or found.high is None:
        return Answer(compared, "none", _change(metric, found))
    if {cell.verdict.kind for cell in cells if cell.value == compared.label and cell.counts} == {"equivalent"}:
        return Answer(compared, "equivalent", _change(metric, found))
    if found.low <= 1 <= found.high:
        return Answer(compared, "inconclusive", say_no_difference(found.low, found.high))
    better = (found.ratio > 1) == METRICS[metric].higher_is_better
    return Answer(compared, "better" if better else "worse", _change(metric, found))


def _change(metric: str, found: Effect) -> str:
    """`+3.2 %`; where lower is better `24.7 % less time`, so that nobody takes it for a loss."""
    change = say_change(found.ratio)
    return change if METRICS[metric].higher_is_better else change_in_words(metric, change)


def _with_interval(basis: str, metric: str, effects: Sequence[Effect | None]) -> str:
    known = [each for each in effects if each is not None and each.low is not None]
    return f"{metric_noun(metric)}, {basis}, {'95 % intervals' if known else 'intervals unknown'}"


def _single(metric: str, compared: Sequence[Compared], cells: Sequence[ComparedCell]) -> CardLine:
    """The line of a table with one cell for each value: the verdicts of these cells."""
    effects = [_effect_of(cell) for cell in cells]
    answers = [
        _of_verdict(each, metric, cell.verdict.kind, found)
        for each, cell, found in zip(compared, cells, effects, strict=True)
    ]
    kind = next(kind for kind in ORDER if kind in {cell.measured for cell in cells})
    return CardLine(answers, _with_interval(f"one cell{MEASURED[kind]}", metric, effects))


def _effect_of(cell: ComparedCell) -> Effect:
    verdict = cell.verdict
    assert verdict.ratio is not None  # it counts
    return effect(verdict.ratio, verdict.low, verdict.high)


def _of_verdict(compared: Compared, metric: str, kind: str, found: Effect) -> Answer:
    if kind == "inconclusive" and found.low is not None and found.high is not None:
        return Answer(compared, kind, say_no_difference(found.low, found.high))
    return Answer(compared, kind, _change(metric, found))


def _counted(compared: Compared, cells: Sequence[ComparedCell]) -> Answer:
    """`better in 5 and worse in 1 of 8 cells`, if there is no mean."""
    kinds = Counter(cell.verdict.kind for cell in cells if cell.measured != "cached")
    number = plural(kinds.total(), "cell")
    said = [f"{kind} in {kinds[kind]}" for kind in ("better", "worse") if kinds[kind]]
    if not said:
        return Answer(compared, "inconclusive", f"no clear difference in {number}")
    kind = "none" if len(said) > 1 else said[0].split()[0]
    return Answer(compared, kind, f"{' and '.join(said)} of {number}")
