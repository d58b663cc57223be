"""A value of the factor in one metric: its cells beside those of the baseline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from math import isnan, log

from benchdb.stats import Verdict

from .baseline_pair import BOTH, BaselinePair


@dataclass
class BaselineRow:
    """The pairs of a value of the factor in one metric, the corrected p of the row, and the number of missing cells."""

    value: str
    metric: str
    pairs: list[BaselinePair] = field(default_factory=list)
    p: float = float("nan")
    missing: int = 0

    @property
    def tested(self) -> int:
        """The number of pairs that were tested."""
        return sum(not isnan(pair.p) for pair in self.pairs)

    @property
    def is_flat(self) -> bool:
        """Whether the row has several cells, all of them equivalent."""
        return len(self.pairs) > 1 and all(pair.kind is Verdict.EQUIVALENT for pair in self.pairs)

    @cached_property
    def others(self) -> Counter[str]:
        """The number of cells that are neither better nor worse, by the words for them."""
        return +Counter({**Counter(filter(None, (pair.other for pair in self.pairs))), "missing": self.missing})

    @cached_property
    def of(self) -> dict[Verdict, list[BaselinePair]]:
        """The pairs that a sentence may call better and those that it may call worse, the largest difference first.

        It is known after `passed` of the pairs.
        """
        return {kind: largest_first(pair for pair in self.pairs if pair.called is kind) for kind in BOTH}


def largest_first(pairs: Iterable[BaselinePair]) -> list[BaselinePair]:
    """The pairs by the size of their differences."""
    return sorted(pairs, key=lambda pair: -abs(log(pair.ratio)))
