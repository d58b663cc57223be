"""Compare every two values of the same quantity: stated twice, in two units, or implied by other values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations

from .finding import BOUNDS, SPACE, TWICE, UNITS, ArticleFinding, say
from .known import Known, related


@dataclass(frozen=True)
class Comparison:
    """Two values that should be the same, and whether they can be."""

    subject: str
    one: Known
    other: Known

    @property
    def agrees(self) -> bool:
        """Whether one value is possible for both."""
        return self.one.meets(self.other)

    @property
    def used(self) -> frozenset[str]:
        """The statements and figures behind both."""
        return frozenset((*self.one.used, *self.other.used))

    def finding(self) -> ArticleFinding:
        """The comparison in words."""
        check = self._check()
        comparable = check == BOUNDS or not (self.one.is_limit or self.other.is_limit or check == TWICE)
        times = self._times() if comparable and not self.agrees else ""
        text = f"{self.subject}: {self.one.text} against {self.other.text}{times}."
        statements = tuple(dict.fromkeys((*self.one.used, *self.other.used)))
        return ArticleFinding(check, self.subject, text, self.agrees, statements)

    def _check(self) -> str:
        """The check that implied a value, first that of a limit; for two stated values their units decide."""
        checks = [each.check for each in (self.one, self.other) if each.check]
        if checks:
            return next((check for check in checks if check in (BOUNDS, SPACE)), checks[-1])
        return UNITS if self.one.unit != self.other.unit else TWICE

    def _times(self) -> str:
        """The difference of both as a percentage or a factor, in the readings in which they are closest."""
        ratios = [one.middle / other.middle for one in self.one.ranges for other in self.other.ranges]
        ratio = min(ratios, key=lambda ratio: max(ratio, 1 / ratio))
        far = f"{say(ratio)} times" if ratio > 2 or ratio < Decimal("0.5") else f"{100 * (ratio - 1):+.2g} %"
        return f" ({far} in the closest reading)" if len(set(ratios)) > 1 else f" ({far})"


def comparisons(known: Sequence[Known]) -> Iterator[Comparison]:
    """Every two values of a quantity of the same object, or of an object and a part of it.

    Values that rest on a common statement are not compared, nor are two limits.
    """
    seen: set[object] = set()
    for one, other in combinations(known, 2):
        if one.quantity != other.quantity or not related(one.object, other.object) or set(one.used) & set(other.used):
            continue
        subject = max(one.subject, other.subject, key=len)
        said_twice = (subject, frozenset((one.text, other.text)))
        first, second = (other, one) if one.is_limit or not (other.check or other.is_limit) else (one, other)
        comparison = Comparison(subject, first, second)
        if not seen & {comparison.used, said_twice} and not _same_side(one, other):
            seen |= {comparison.used, said_twice}
            yield comparison


def _same_side(one: Known, other: Known) -> bool:
    """Whether both are upper limits, or both lower ones, which cannot contradict each other."""
    return one.is_limit and other.is_limit and (one.ranges[0].low == 0) == (other.ranges[0].low == 0)
