"""Ticks of logarithmic axes with plain labels: ratios (`÷ 1.5`, `1`, `× 1.2`), sizes (`64 KiB`) and figures (`1 000`).

Pages and exported pictures share them. Pure functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import ceil, floor, log, log10
from typing import NamedTuple

from .numbers import say_exact, say_number

WIDEST_LINEAR = 30  # times the smallest figure: an axis whose figures span more is logarithmic
SMALLEST = 1e-200
NARROW = 1.1  # ratios closer to 1 are said in per cent
CLOSEST = 10  # labels need a tenth of the axis
LETTER = 0.03  # of the axis, that a letter of a label needs
_PERCENTS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20)
_FACTORS = (
    (1.1, 1.2, 1.3, 1.5, 1.7, 2, 2.5, 3, 4),
    (1.2, 1.5, 2, 3, 5, 10),
    (1.5, 2, 3, 5, 10),
    (2, 5, 10, 20, 50, 100),
    (3, 10, 30, 100, 300, 1000),
)


class Tick(NamedTuple):
    """A position on an axis with its label."""

    value: float
    text: str


def is_wide(figures: Iterable[float]) -> bool:
    """Whether figures span more than 30 times the smallest and are all positive, so that their axis is logarithmic.

    It is linear if the smallest is less than SMALLEST, which is 0 for every reader: its ratios would be infinite.
    """
    known = list(figures)
    return bool(known) and min(known) >= SMALLEST and max(known) > WIDEST_LINEAR * min(known)


def ratio_ticks(low: float, high: float, most: int = 6, *, narrow: float = NARROW) -> list[Tick]:
    """At most `most` round ratios from `low` to `high` (both positive), 1 among them if it is inside.

    Closer to 1 than `narrow` they are percentages: `−5 %`, `1`, `+5 %`.
    """
    if not 0 < low <= 1 <= high:
        return []
    inside: list[Tick] = []
    reach = max(1 / max(low, SMALLEST), high)
    for candidates in _percentages(low, high, most) if reach <= narrow else _factors(reach):
        inside = [tick for tick in candidates if low * (1 - 1e-9) <= tick.value <= high * (1 + 1e-9)]
        inside.sort()
        if len(inside) <= most and _are_apart(inside, (log(high) - log(low)) / CLOSEST):
            break
    return inside


def _are_apart(ticks: Sequence[Tick], gap: float) -> bool:
    return all(log(after.value / before.value) >= gap for before, after in pairwise(ticks))


def _percentages(low: float, high: float, most: int) -> Iterator[list[Tick]]:
    """Ticks from the finest step to the coarsest; only the coarsest may have more than `most` of them."""
    for step in _PERCENTS:
        multiples = range(ceil(100 * (low - 1) / step - 1e-9), floor(100 * (high - 1) / step + 1e-9) + 1)
        if len(multiples) <= most or step == _PERCENTS[-1]:
            yield [Tick(1 + i * step / 100, _percent(i * step)) for i in multiples]


def _percent(change: float) -> str:
    return f"{'−' if change < 0 else '+'}{abs(change):g} %" if change else "1"


def _factors(reach: float) -> Iterator[list[Tick]]:
    """Ticks with finer to coarser steps; the last ladders have powers of ten only, up to `reach`."""
    for factors in _FACTORS:
        if reach < 1.5 * factors[-1]:
            yield _both_ways(factors)
    powers = ceil(log10(reach))
    for step in range(1, powers + 1):
        yield _both_ways([10.0**power for power in range(step, powers + 1, step)])


def _both_ways(factors: Sequence[float]) -> list[Tick]:
    said = [(factor, say_exact(factor)) for factor in factors]
    down = [Tick(1 / factor, f"÷ {text}") for factor, text in said]
    return [*down, Tick(1.0, "1"), *(Tick(factor, f"× {text}") for factor, text in said)]


def figure_ticks(low: float, high: float, most: int = 6) -> list[Tick]:
    """Figures of 1, 2 or 5 times a power of ten from `low` to `high` (both positive), for a logarithmic axis."""
    if not 0 < low < high:
        return []
    first, last = floor(log10(low)), ceil(log10(high))
    inside: list[Tick] = []
    for leads in ((1, 2, 5), (1,)):
        figures = [lead * 10.0**power for power in range(first, last + 1) for lead in leads]
        inside = [_figure(figure) for figure in figures if low * (1 - 1e-9) <= figure <= high * (1 + 1e-9)]
        longest = max((len(tick.text) for tick in inside), default=0)
        if len(inside) <= most and _are_apart(inside, LETTER * longest * (log(high) - log(low))):
            break
    return inside[:: -(-len(inside) // most) or 1]


def _figure(figure: float) -> Tick:
    return Tick(figure, say_number(figure, max(0, -floor(log10(figure) + 1e-9))))
