"""Sentences about when a tool's tests settled inside a round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchagent.formats.vocabulary import test_label
from benchdb.runs.store.round_series import ReadSeries
from benchdb.stats.settling import Settling, settling
from benchdb.wording.numbers import say_duration, say_number

JUDGED = ("bytes", "operations")  # of a test with both, the first


def sentences(series: Sequence[ReadSeries]) -> list[str]:
    """One sentence for each test that has a series of its own: `Write: fell by 62 % at 118 s, settled after 118 s.`"""
    by_test: dict[str, ReadSeries] = {}
    for name in JUDGED:
        for each in series:
            if each.name == name and each.test is not None:
                by_test.setdefault(each.test, each)
    return [sentence for test, each in by_test.items() if (sentence := _sentence(test, each, settling(each.rates)))]


def _sentence(test: str, series: ReadSeries, found: Settling) -> str:
    if not found.judged:
        return ""
    return f"{test_label(test)}: {', '.join(_parts(series, found))}."


def _parts(series: ReadSeries, found: Settling) -> Iterator[str]:
    for change in found.changes:
        word = "fell" if change.ratio < 1 else "rose"
        by = f"by {say_number(100 * abs(change.ratio - 1), 0)} %" if change.ratio < 2 else f"× {change.ratio:.1f}"
        yield f"{word} {by} at {_seconds(change.at, series)}"
    if found.settled_at is None:
        yield "never settled"
    elif found.settled_at == 0:
        yield "steady from the beginning"
    else:
        yield f"settled after {_seconds(found.settled_at, series)}"


def _seconds(step: int, series: ReadSeries) -> str:
    """The time from the beginning of the series to that of a step."""
    return say_duration(step * series.step)
