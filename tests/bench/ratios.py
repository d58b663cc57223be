"""Ratios of interleaved measurements, and their required bounds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchdb.stats.summary.descriptive import summarise


@dataclass(frozen=True)
class Ratio:
    """One figure divided by another, once for each repetition in which both were measured side by side."""

    name: str
    values: Sequence[float]

    @property
    def median(self) -> float:
        return float(summarise([self.values]).median[0])

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the median, from order statistics; NaN for fewer than 6 repetitions."""
        low, high = summarise([self.values]).median_interval
        return float(low[0]), float(high[0])

    @property
    def precision(self) -> float:
        """Half the interval's width, relative to the median."""
        low, high = self.interval
        return (high - low) / 2 / self.median

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.name:44} {self.median:6.3f}  [{low:.3f}, {high:.3f}] n={len(self.values)}"


@dataclass
class Ledger:
    """Prints each figure as it comes, collects unmet requirements, and keeps figures for a file."""

    unmet: list[str] = field(default_factory=list)
    kept: list[dict[str, Any]] = field(default_factory=list)

    def say(self, text: str) -> None:
        print(text, flush=True)

    def enter(self, ratio: Ratio, wanted: str, met: Callable[[Ratio], bool], note: str = "") -> None:
        """Print a ratio and whether it meets the requirement."""
        ok = met(ratio)
        self.say(f"{ratio}  {'ok' if ok else 'NOT ' + wanted}{'  ' + note if note else ''}")
        if not ok:
            self.unmet.append(f"{str(ratio).strip()}, wanted {wanted}")

    def bound(self, ratio: Ratio, most: float | None = None, least: float | None = None) -> None:
        """Print and keep a ratio, and check the bounds, if any: the whole 95 % interval has to be within them."""
        wanted = " and ".join(f"{sign} {of:g}" for sign, of in (("≤", most), ("≥", least)) if of is not None)
        self.keep(ratio.name, ratio.median, most=most, least=least, interval=ratio.interval, n=len(ratio.values))
        if not wanted:
            self.say(str(ratio))
            return
        low, high = ratio.interval
        within = (most is None or high <= most) and (least is None or low >= least)
        self.enter(ratio, wanted, lambda _: within, wanted if within else "")

    def time(self, name: str, seconds: Sequence[float]) -> None:
        """Print and keep the median of times, in milliseconds."""
        found = Ratio(name, [1000 * each for each in seconds])
        self.keep(f"{name}, ms", found.median, interval=found.interval, n=len(seconds))
        self.say(f"{name:44} {found.median:8.2f}  [{found.interval[0]:.2f}, {found.interval[1]:.2f}]")

    def keep(self, name: str, median: float, **more: Any) -> None:
        """Keep a figure for the JSON file."""
        self.kept.append({"name": name, "median": median, **more})

    def check(self, name: str, ok: bool, found: str) -> None:
        """Print a result and whether it meets its requirement."""
        self.say(f"{name:44} {found}  {'ok' if ok else 'NOT MET'}")
        if not ok:
            self.unmet.append(f"{name}: {found}")


def no_slower(ratio: Ratio) -> bool:
    """Whether the median is at least 0.97 and the interval reaches 1."""
    return ratio.median >= 0.97 and ratio.interval[1] >= 1.0


def in_reach(ratio: Ratio) -> bool:
    """Whether the interval of the median reaches 1."""
    return ratio.interval[1] >= 1.0
