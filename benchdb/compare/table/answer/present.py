"""The context of compare/answer.html: the answer of a table, and the ranking with positions in per cent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf, log
from typing import NamedTuple

from benchagent.formats.vocabulary import METRICS
from benchdb.compare.table.grid import Grid
from benchdb.wording.axes import ratio_ticks
from benchdb.wording.changes import LARGEST_PERCENTAGE, effect_in_words, in_percent, metric_noun
from benchdb.wording.colours import colours
from benchdb.wording.numbers import plural
from benchdb.wording.sizes import unbroken
from benchdb.wording.words import upper

from .estimates import MetricEstimates, RatioEstimate, estimates_of
from .sentences import MetricAnswer, answer_of, warning_of

MOST_RANKED = 12  # with the baseline, so that the table begins on the first screen


@dataclass(frozen=True, slots=True)
class Ranked:
    """A row of the ranking: a value of the factor, with the number of its colour and shape.

    `kind` is that of its verdict, `baseline` for the baseline. `change` and `interval` are words, `others` the changes
    of further metrics with their kinds. `at`, `left` and `right` are the places of the ratio and of the ends of its
    interval as shares of the axis, None if unknown; an end may be outside.
    """

    label: str
    series: int
    kind: str
    change: str
    interval: str
    others: list[tuple[str, str]]
    at: float | None
    left: float | None
    right: float | None


@dataclass(frozen=True, slots=True)
class TableAnswer:
    """The answer of a table: sentences by metric, the ranking of the first metric from best to worst, those
    with failed cells last, and its axis.

    `doubt` is the `warning` without values. `heads` name the metrics of the ranking if there are several. `left_out` is
    the number of values without a row.
    """

    baseline: str
    metrics: list[MetricAnswer]
    warning: str
    doubt: str
    ranking: list[Ranked]
    axis: RatioAxis
    heads: list[str]
    left_out: str

    @property
    def one(self) -> float:
        """The place of equality on the axis."""
        return self.axis.share(1.0)

    @property
    def series(self) -> dict[str, int]:
        """The series of each label, from best to worst; empty if the ranking leaves values out."""
        return {} if self.left_out else {row.label: row.series for row in self.ranking}

    @property
    def first(self) -> str:
        """The first sentence, for lists, with what makes it doubtful."""
        return f"{''.join(part.text for part in self.metrics[0].lead)} {self.doubt}".rstrip()

    @property
    def sentence(self) -> str:
        """All sentences as text."""
        return " ".join(answer.text for answer in self.metrics)

    @property
    def basis(self) -> str:
        """What the sentences rest on."""
        return " ".join(dict.fromkeys(filter(None, (answer.basis for answer in self.metrics))))


def table_answer(table: Grid) -> TableAnswer | None:
    """The answer of a table; None if nothing was compared with a baseline."""
    found = estimates_of(table)
    if not found:
        return None
    baseline, (first, *others) = table.content.baseline, found
    axis = axis_of(first.metric, first.estimates)
    failed = {label: number for label, (number, *_) in first.failures.items()}
    kept = sorted(first.estimates, key=lambda each: (not each.established, -each.distance))[: MOST_RANKED - 1]
    series = colours([baseline, *(each.label for each in first.estimates)])
    ranking = [
        Ranked(baseline, series[0], "baseline", "baseline", _failed(failed, baseline), [], axis.share(1.0), None, None),
        *(
            _ranked(each, colour, axis, others, failed)
            for each, colour in zip(first.estimates, series[1:], strict=True)
            if each in kept
        ),
    ]
    ranking.sort(key=lambda row: (row.at is None, row.label in failed, -(row.at or 0.0)))
    left_out = len(first.estimates) - len(kept)
    return TableAnswer(
        baseline=baseline,
        metrics=[answer_of(table, each, alone=not others) for each in found],
        warning=warning_of(table),
        doubt=warning_of(table, most=0),
        ranking=ranking if any(each.ratio for each in kept) else [],
        axis=axis,
        heads=[upper(metric_noun(each.metric)) for each in found] if others else [],
        left_out=f"{plural(left_out, 'more value')} in the table" if left_out else "",
    )


def _failed(failed: Mapping[str, int], label: str) -> str:
    return f"{plural(failed[label], 'cell')} failed" if label in failed else ""


def _ranked(
    each: RatioEstimate, series: int, axis: RatioAxis, others: Sequence[MetricEstimates], failed: Mapping[str, int]
) -> Ranked:
    change, interval = _in_words(axis.metric, each)
    interval = ", ".join(filter(None, [interval, _failed(failed, each.label)]))
    further = [_of_other(metric, each.label) for metric in others]
    at = axis.share(each.ratio) if each.ratio else None
    ends = sorted(axis.share(end) for end in (each.low, each.high) if end is not None)
    left, right = ends if len(ends) == 2 else (None, None)
    return Ranked(each.label, series, each.kind, change, interval, further, at, left, right)


def _of_other(found: MetricEstimates, label: str) -> tuple[str, str]:
    """The change of a value in a further metric, and its kind."""
    each = next((each for each in found.estimates if each.label == label), None)
    return ("", "") if each is None else (_in_words(found.metric, each)[0], each.kind)


def _in_words(metric: str, each: RatioEstimate) -> tuple[str, str]:
    if each.ratio is None:
        differing = ", ".join(f"{kind} in {each.counts[kind]}" for kind in ("better", "worse") if each.counts[kind])
        return differing or "–", f"of {plural(each.counts.total(), 'cell')}" if differing else ""
    words = effect_in_words(metric, each.ratio, each.low, each.high, signed=not each.established)
    return unbroken(words.change), unbroken(words.interval)


NARROWEST = 1.06  # the axis reaches at least from ÷ 1.06 to × 1.06, so that noise does not look large
BEYOND = 2.0  # an interval is cut where it is farther than this factor from the outermost ratio
MARGIN = 0.04  # of the width, on both sides
INSIDE = 0.08  # of the width, from the middle of a label to the ends
APART = 0.3  # of the width, between the labels of two ticks
MOST = 9  # ticks, before those without room are left out


class TickShare(NamedTuple):
    """A tick at `share` of the width, from the left, with its label: `2× slower`, `equal`, `+10 %`."""

    share: float
    text: str


@dataclass(frozen=True, slots=True)
class RatioAxis:
    """The axis of a metric from `low` to `high`, logarithms of the gain."""

    metric: str
    low: float
    high: float

    def share(self, ratio: float) -> float:
        """The position of a ratio as a share of the width, below 0 or above 1 if it is outside."""
        gain = log(ratio) if ratio > 0 else -inf
        return (_sign(self.metric) * gain - self.low) / (self.high - self.low)

    @property
    def ticks(self) -> list[TickShare]:
        """The tick of equality, and on both sides those that have room on a phone, the outermost first.

        The outermost of each side names the direction.
        """
        sign = _sign(self.metric)
        ends = sorted((exp(sign * self.low), exp(sign * self.high)))
        possible = [
            (self.share(tick.value), tick.value)
            for tick in ratio_ticks(ends[0], ends[1], MOST, narrow=LARGEST_PERCENTAGE)
        ]
        possible.sort(key=lambda tick: (tick[1] != 1, -abs(tick[0] - self.share(1.0))))
        kept: list[tuple[float, float]] = []
        for share, value in possible:
            is_apart = all(abs(share - other) >= APART for other, _ in kept)
            if value == 1 or (is_apart and INSIDE <= share <= 1 - INSIDE):
                kept.append((share, value))
        outermost = {min(kept), max(kept)} if kept else set()
        percent = in_percent(ends)
        return [
            TickShare(share, self._label(value, percent=percent, worded=(share, value) in outermost))
            for share, value in sorted(kept)
        ]

    def _label(self, value: float, *, percent: bool, worded: bool) -> str:
        if value == 1:
            return "equal"
        words = effect_in_words(self.metric, value, percent=percent)
        size = f"{100 * abs(value - 1):.3g} %" if percent else words.size
        return f"{size} {words.direction}" if worded else size


def axis_of(metric: str, estimates: Sequence[RatioEstimate]) -> RatioAxis:
    """An axis with all ratios of a metric, and their intervals unless these are very long."""
    sign = _sign(metric)
    ratios = [0.0, *(sign * log(each.ratio) for each in estimates if each.ratio)]
    ends = [sign * log(end) for each in estimates for end in (each.low, each.high) if end]
    low, high = min(ratios), max(ratios)
    low = min([low, *(max(end, low - log(BEYOND)) for end in ends)])
    high = max([high, *(min(end, high + log(BEYOND)) for end in ends)])
    low, high = min(low, -log(NARROWEST)), max(high, log(NARROWEST))
    space = MARGIN * (high - low) / (1 - 2 * MARGIN)
    return RatioAxis(metric, low - space, high + space)


def _sign(metric: str) -> int:
    return 1 if METRICS[metric].higher_is_better else -1
