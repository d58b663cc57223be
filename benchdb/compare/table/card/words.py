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
        answers = [
            _answer(each, metric, mean, [cell for cell in cells if cell.value == each.label], content.margin)
            for each, mean in zip(compared, found, strict=True)
        ]
        together = any(mean is not None and mean.verdict for mean in found)
        return CardLine(answers, _with_interval(basis, metric, effects, together=together)), effects
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


def _answer(
    compared: Compared, metric: str, mean: MeanRatio | None, cells: Sequence[ComparedCell], margin: float
) -> Answer:
    """The answer of a mean over `cells`. Where its cells differ in both directions, an equal mean says so."""
    found = _effect(mean)
    if mean is None or found is None:
        return Answer(compared, "none", "without a mean")
    if found.low is None or found.high is None:
        return Answer(compared, "none", _change(metric, found))
    kind = mean.verdict or _kind_of_one(metric, found, cells)
    if kind == "inconclusive":
        return Answer(compared, kind, say_no_difference(found.low, found.high))
    if kind != "equivalent":
        return Answer(compared, kind, _change(metric, found))
    equal = f"equal within {100 * margin:g} %"
    kinds = Counter(cell.verdict.kind for cell in cells if cell.counts)
    differing = " and ".join(f"{kind} in {kinds[kind]}" for kind in ("better", "worse") if kinds[kind])
    of_cells = f" on average, {differing} of {plural(kinds.total(), 'cell')}" if differing else ""
    return Answer(compared, kind, equal + of_cells)


def _kind_of_one(metric: str, found: Effect, cells: Sequence[ComparedCell]) -> str:
    """The kind of a mean in a content of the first release, whose interval holds it alone."""
    assert found.low is not None
    assert found.high is not None
    if {cell.verdict.kind for cell in cells if cell.counts} == {"equivalent"}:
        return "equivalent"
    if found.low <= 1 <= found.high:
        return "inconclusive"
    return "better" if (found.ratio > 1) == METRICS[metric].higher_is_better else "worse"


def _change(metric: str, found: Effect) -> str:
    """`+3.2 %`; where lower is better `24.7 % less time`, so that nobody takes it for a loss."""
    change = say_change(found.ratio)
    return change if METRICS[metric].higher_is_better else change_in_words(metric, change)


def _with_interval(basis: str, metric: str, effects: Sequence[Effect | None], *, together: bool = False) -> str:
    known = [each for each in effects if each is not None and each.low is not None]
    of_what = f"95 % intervals{' over all answers' if together else ''}" if known else "intervals unknown"
    return f"{metric_noun(metric)}, {basis}, {of_what}"


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
