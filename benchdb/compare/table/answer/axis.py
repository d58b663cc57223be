"""The logarithmic axis of a ranking: where a ratio is, and which ticks have labels. Better is always on the right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf, log
from typing import NamedTuple

from benchagent.formats.vocabulary import METRICS
from benchdb.wording.axes import NARROW, ratio_ticks
from benchdb.wording.changes import effect_in_words

from .estimates import RatioEstimate

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
        possible = [(self.share(tick.value), tick.value) for tick in ratio_ticks(ends[0], ends[1], MOST)]
        possible.sort(key=lambda tick: (tick[1] != 1, -abs(tick[0] - self.share(1.0))))
        kept: list[tuple[float, float]] = []
        for share, value in possible:
            is_apart = all(abs(share - other) >= APART for other, _ in kept)
            if value == 1 or (is_apart and INSIDE <= share <= 1 - INSIDE):
                kept.append((share, value))
        outermost = {min(kept), max(kept)} if kept else set()
        percent = all(1 / NARROW <= value <= NARROW for _, value in kept)
        return [
            TickShare(share, self._label(value, percent=percent, worded=(share, value) in outermost))
            for share, value in sorted(kept)
        ]

    def _label(self, value: float, *, percent: bool, worded: bool) -> str:
        if value == 1:
            return "equal"
        words = effect_in_words(self.metric, value, percent=percent)
        return words.change if worded else words.size


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
