"""Claims about the statistics: shares found by simulation at several numbers of rounds, beside their bounds."""

from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from scipy import stats

CONFIDENCE = 0.95
ROUNDS = (3, 5, 10, 30)


class Share(NamedTuple):
    """`count` of `of` simulated cases."""

    count: int
    of: int

    @property
    def value(self) -> float:
        return self.count / self.of

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval (Clopper and Pearson 1934)."""
        found = stats.binomtest(self.count, self.of).proportion_ci(CONFIDENCE)
        return float(found.low), float(found.high)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{100 * self.value:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


@dataclass(frozen=True)
class Claim:
    """What BenchDB claims, and the shares found by number of rounds.

    The whole interval of each share must be within the bounds `most` and `least`, both fractions. A number of rounds
    is missing from `found` if the claim makes no sense for it. `topic`: the section of docs/statistics.md. `before`:
    the same shares with the statistics that this claim replaced, for comparison only.
    """

    topic: str
    text: str
    found: Mapping[int, Share]
    most: float | None = None
    least: float | None = None
    before: Mapping[int, Share] | None = None

    @property
    def unmet(self) -> list[int]:
        """The numbers of rounds for which the claim does not hold."""
        return [rounds for rounds, share in self.found.items() if not self._holds(share)]

    @property
    def bound(self) -> str:
        """The bounds in words; empty if the figure is only reported."""
        ends = (("≤", self.most), ("≥", self.least))
        return " and ".join(f"{sign} {100 * end:g} %" for sign, end in ends if end is not None)

    def rows(self) -> Iterator[str]:
        """The claim as a row of the Markdown table in docs/statistics.md, and one of the shares before."""
        for text, bound, found in ((self.text, self.bound, self.found), ("before", "", self.before)):
            if found is not None:
                shares = [str(found.get(rounds, "–")) for rounds in ROUNDS]
                yield f"| {' | '.join([text, bound, *shares])} |"

    def _holds(self, share: Share) -> bool:
        low, high = share.interval
        return (self.most is None or high <= self.most) and (self.least is None or low >= self.least)


HEAD = "\n".join(
    ["| claim | bound | " + " | ".join(f"n = {rounds}" for rounds in ROUNDS) + " |", "|---" * (2 + len(ROUNDS)) + "|"]
)


class Topic(Protocol):
    """A module with claims. `effort` scales the number of simulated tables: 1 in full, less to see if it works."""

    def __call__(self, pool: Executor, effort: float) -> list[Claim]: ...
