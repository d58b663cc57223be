"""Sentences about when a tool's tests settled inside a round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchagent.formats.vocabulary import test_label
from benchdb.runs.store.round_series import FloatArray, ReadSeries
from benchdb.stats.settling import SECOND, Settling, in_seconds, settling
from benchdb.wording.numbers import say_duration, say_number

JUDGED = ("bytes", "operations")  # of a test with both, the first


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


def judged_of(series: Sequence[ReadSeries]) -> list[JudgedTest]:
    """The tests of a round that have series of their own, in the order of these; a test that ran twice has two."""
    found: dict[tuple[str, float], ReadSeries] = {}
    for name in JUDGED:
        for each in series:
            if each.name == name and each.test is not None:
                found.setdefault((each.test, each.start), each)
    return [_in_seconds(test, each) for (test, _), each in found.items()]


def _in_seconds(test: str, series: ReadSeries) -> JudgedTest:
    rates, step = in_seconds(series.rates, series.step)
    return JudgedTest(test, series.start, step, rates)


def sentences(series: Sequence[ReadSeries]) -> list[str]:
    """One sentence for each test that has a series of its own: `Write: fell by 62 % at 118 s, settled after 118 s.`"""
    judged = [(each, each.settling) for each in judged_of(series)]
    return [f"{test_label(each.test)}: {', '.join(_parts(each, found))}." for each, found in judged if found.judged]


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
