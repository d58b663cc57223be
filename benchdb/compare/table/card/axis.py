"""The logarithmic axis of ratios: where a ratio is, and which ticks have labels. Better is always on the right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, inf, log
from typing import NamedTuple

from benchdb.wording.axes import ratio_ticks

from .facts import CardRow

NARROWEST = 1.06  # the axis reaches at least from ÷ 1.06 to × 1.06, so that noise does not look large
BEYOND = 2.0  # an interval is cut where it is farther than this factor from the outermost ratio
MARGIN = 0.04  # of the width, on both sides
INSIDE = 0.05  # of the width, from the middle of a label to the ends
APART = 0.15  # of the width, between the labels of two ticks
MOST = 9  # ticks, before those without room are left out


class TickShare(NamedTuple):
    """A tick at `share` of the width, from the left, with its label: `× 1.2`."""

    share: float
    text: str


@dataclass(frozen=True, slots=True)
class RatioAxis:
    """The axis from `low` to `high`, logarithms of the gain; `falling` if all metrics are better if they are lower."""

    low: float
    high: float
    falling: bool

    def share(self, ratio: float, *, higher_is_better: bool) -> float:
        """The position of a ratio as a share of the width, 0 to 1; the ratio of a metric with ↓ counts as a gain."""
        gain = log(ratio) if ratio > 0 else -inf
        gain = gain if higher_is_better else -gain
        return min(max((gain - self.low) / (self.high - self.low), 0.0), 1.0)

    @property
    def ticks(self) -> list[TickShare]:
        """The tick of 1, and on both sides those that have room on a phone, the outermost first."""
        sign = -1 if self.falling else 1
        ends = sorted((exp(sign * self.low), exp(sign * self.high)))
        possible = [
            TickShare(self._share(sign * log(value)), text) for value, text in ratio_ticks(ends[0], ends[1], MOST)
        ]
        possible.sort(key=lambda tick: (tick.text != "1", -abs(tick.share - self._share(0.0))))
        found: list[TickShare] = []
        for tick in possible:
            is_apart = all(abs(tick.share - each.share) >= APART for each in found)
            if tick.text == "1" or (is_apart and INSIDE <= tick.share <= 1 - INSIDE):
                found.append(tick)
        return sorted(found)

    def _share(self, gain: float) -> float:
        return (gain - self.low) / (self.high - self.low)


def axis_of(rows: Sequence[CardRow]) -> RatioAxis:
    """An axis with the ratios of all rows, and their intervals unless these are very long."""
    ratios = [*_gains(rows, ends=False), 0.0]
    ends = list(_gains(rows, ends=True))
    low, high = min(ratios), max(ratios)
    low = min([low, *(max(end, low - log(BEYOND)) for end in ends)], default=low)
    high = max([high, *(min(end, high + log(BEYOND)) for end in ends)], default=high)
    low, high = min(low, -log(NARROWEST)), max(high, log(NARROWEST))
    space = MARGIN * (high - low) / (1 - 2 * MARGIN)
    return RatioAxis(low - space, high + space, bool(rows) and not any(row.higher_is_better for row in rows))


def _gains(rows: Iterable[CardRow], *, ends: bool) -> Iterable[float]:
    for row in rows:
        sign = 1 if row.higher_is_better else -1
        for effect in row.effects:
            if effect is not None:
                figures = (effect.low, effect.high) if ends else (effect.ratio, *effect.dots)
                yield from (sign * log(figure) for figure in figures if figure is not None and figure > 0)
