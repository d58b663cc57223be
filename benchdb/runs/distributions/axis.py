"""The axes of percentile curves: shares of operations by their nines, latencies by their powers of ten."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

import numpy as np
import numpy.typing as npt

from benchdb.stats.distributions.percentiles import percentiles
from benchdb.wording.numbers import say_number

WIDTH, HEIGHT = 1000, 200  # of the plot in its own units; the page stretches it
TICKS = (50.0, 90.0, 99.0, 99.9, 99.99, 99.999)


POINTS = 160  # of a curve


@dataclass(frozen=True, slots=True)
class CurveAxes:
    """Latencies from 10^`low` to 10^`high` seconds upwards, shares from 0 to `most` nines to the right."""

    low: int
    high: int
    most: float

    def place(self, share: float, latency: float) -> str:
        """The point of a share in percent and a latency in seconds, in units of the plot."""
        x, y = WIDTH * nines(share) / self.most, HEIGHT * (self.high - log10(latency)) / (self.high - self.low)
        return f"{x:.4g} {y:.4g}"

    def path(self, counts: npt.NDArray[np.int64], latency: npt.NDArray[np.float64]) -> str:
        """The curve of one distribution, counts (1, B) of latencies (B,) in seconds above 0.

        It ends at the last but one operation, because the slowest one is at infinitely many nines.
        """
        shares = 1 - 10 ** -np.linspace(0, self.most, POINTS)
        within = shares[shares <= 1 - 1 / max(int(counts.sum()), 2)]
        points = percentiles(counts, latency, within.tolist())[0]
        return "M" + "L".join(self.place(100 * share, point) for share, point in zip(within, points, strict=True))

    def shares(self) -> Sequence[dict[str, object]]:
        """The texts below the plot."""
        return [{"at": round(100 * nines(share) / self.most, 2), "text": f"{share:g} %"} for share in self._ticks()]

    def latencies(self) -> Sequence[dict[str, object]]:
        """The texts beside the plot."""
        return [
            {"at": round(100 * (self.high - power) / (self.high - self.low), 2), "text": _say_power(power)}
            for power in range(self.low, self.high + 1)
        ]

    def grid(self) -> Sequence[str]:
        """The paths of the lines at the texts."""
        return [
            *(f"M{WIDTH * nines(share) / self.most:.4g} 0v{HEIGHT}" for share in self._ticks()),
            *(
                f"M0 {HEIGHT * (self.high - power) / (self.high - self.low):.4g}h{WIDTH}"
                for power in range(self.low + 1, self.high + 1)
            ),
        ]

    def _ticks(self) -> list[float]:
        return [share for share in TICKS if nines(share) <= self.most * (1 + 1e-9)]


def axes_for(latencies: Iterable[float], most: float) -> CurveAxes:
    """The axes for latencies above 0, in whole powers of ten; `most` is the number of nines at the right."""
    known = list(latencies)
    low, high = floor(log10(min(known))), ceil(log10(max(known)))
    return CurveAxes(low, max(high, low + 1), most)


def nines(share: float) -> float:
    """The number of nines in a share in percent: 90 → 1, 99 → 2, 99.9 → 3."""
    return -log10(1 - share / 100)


def _say_power(power: int) -> str:
    """A power of ten of seconds: `10 µs`."""
    for unit, exponent in (("s", 0), ("ms", -3), ("µs", -6)):
        if power >= exponent:
            return f"{say_number(10.0 ** (power - exponent), 0)} {unit}"
    return f"{say_number(10.0 ** (power + 9), 0 if power >= -9 else 3)} ns"
