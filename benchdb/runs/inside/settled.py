"""Sentences about when a tool's tests settled inside a round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest

from benchagent.formats.vocabulary import test_label
from benchdb.runs.costs import before_judged
from benchdb.runs.store.round_series import FloatArray, ReadSeries
from benchdb.stats.settling import SECOND, Settling, in_seconds, settling
from benchdb.wording.numbers import plural, say_duration, say_number

JUDGED = ("bytes", "operations")  # of a test with both, the first
MOST_JUDGED = 8


@dataclass(frozen=True, slots=True)
class JudgedTest:
    """The rates of a test in successive steps (K,) of `step` seconds, the first from `start` on in the round."""

    test: str
    start: float
    step: float
    rates: FloatArray

    @property
    def settling(self) -> Settling:
        return settling(self.rates)


def judged_of(series: Sequence[ReadSeries]) -> tuple[list[JudgedTest], int]:
    """The MOST_JUDGED tests with the most operations of those that have series of their own, and the number of others.

    A test that ran twice is two. Raises MustWait.
    """
    of_tests: dict[tuple[float, str], dict[str, ReadSeries]] = {}
    for each in series:
        if each.name in JUDGED and each.test is not None:
            of_tests.setdefault((each.start, each.test), {})[each.name] = each
    chosen = nlargest(MOST_JUDGED, of_tests, lambda test: _done(of_tests[test]))
    before_judged(len(chosen))
    tests = [_in_seconds(each) for test, each in of_tests.items() if test in chosen]
    return tests, len(of_tests) - len(chosen)


def _done(of_test: Mapping[str, ReadSeries]) -> list[float]:
    """The operations, else the bytes, of a test."""
    return [float(of_test[name].points[-1]) if name in of_test else 0.0 for name in reversed(JUDGED)]


def _in_seconds(of_test: Mapping[str, ReadSeries]) -> JudgedTest:
    each = next(of_test[name] for name in JUDGED if name in of_test)
    rates, step = in_seconds(each.rates, each.step)
    return JudgedTest(str(each.test), each.start, step, rates)


def sentences(series: Sequence[ReadSeries]) -> list[str]:
    """One sentence for each judged test: `Write: fell by 62 % at 118 s, settled after 118 s.` The last one tells of
    those that were left out. Raises MustWait.
    """
    tests, others = judged_of(series)
    judged = ((each, each.settling) for each in tests)
    said = [f"{test_label(each.test)}: {', '.join(_parts(each, found))}." for each, found in judged if found.judged]
    return [*said, f"Not judged: {plural(others, 'test')} with fewer operations."] if others else said


def _parts(judged: JudgedTest, found: Settling) -> Iterator[str]:
    for change in found.changes:
        word = "fell" if change.ratio < 1 else "rose"
        by = f"by {say_number(100 * abs(change.ratio - 1), 0)} %" if change.ratio < 2 else f"× {change.ratio:.1f}"
        yield f"{word} {by} at {say_duration(judged.start + change.at * judged.step)}"
    if found.settled_at is None:
        yield "never settled"
    elif found.settled_at == 0:
        yield "steady from the beginning"
    else:
        late = " of its start" if judged.start >= SECOND else ""
        yield f"settled {'within' if late else 'after'} {say_duration(found.settled_at * judged.step)}{late}"
