"""What tests did over time: one quantity in steps of equal length, from logs of their programs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import ceil, floor
from typing import NamedTuple

from .sampled import MOST_POINTS, SAMPLED

SINCE_1970 = 1e8  # seconds; a later start is a time of the clock, an earlier one is since the start of a job
LEVEL_SCALE = 1e-9  # of the integers of levels, which are latencies in seconds
_GREATEST = "latency_max"  # combined by its maximum; other levels are averaged
_NEAR = 1e-6  # of a step


@dataclass(frozen=True)
class OverTime:
    """One quantity of a test, by its name in `sampled.SAMPLED`.

    Step i ended at `start` + (i + 1) · `step`, in seconds since the start of the job, or since 1970. A point of a
    counter is the amount in its step; a point of a level is 0 if nothing happened in its step. Of several quantities
    with one name and test, only those with the lowest `choice` count.
    """

    name: str
    test: str
    start: float
    step: float
    points: tuple[float, ...]
    choice: int = 0


class TimedValue(NamedTuple):
    """An amount, or a level, of the time from `begin` to `end`, in seconds; the two are equal for a single event."""

    begin: float
    end: float
    value: float


def in_steps(name: str, spans: Iterable[TimedValue], start: float, step: float) -> tuple[float, ...]:
    """The points of a quantity. An amount is divided among the steps that its span overlaps, by time.

    A level is the mean of the spans by time, or the greatest of them; zeros are left out.
    """
    sums, weights, greatest = (
        defaultdict[int, float](float),
        defaultdict[int, float](float),
        defaultdict[int, float](float),
    )
    last = -1
    for span in spans:
        for index, share, weight in _overlapped(span, start, step):
            sums[index] += span.value * (share if SAMPLED[name].grows else weight)
            weights[index] += weight if span.value else 0.0
            greatest[index] = max(greatest[index], span.value)
            last = max(last, index)
    if name == _GREATEST:
        return tuple(greatest[index] for index in range(last + 1))
    if SAMPLED[name].grows:
        return tuple(sums[index] for index in range(last + 1))
    return tuple(sums[index] / weights[index] if weights[index] else 0.0 for index in range(last + 1))


def _overlapped(span: TimedValue, start: float, step: float) -> Iterator[tuple[int, float, float]]:
    """(index, share of the span, weight) of each step that a span overlaps; a single event has the weight 1."""
    begin, end = (span.begin - start) / step, (span.end - start) / step
    if end - begin < _NEAR:
        yield max(ceil(end - _NEAR) - 1, 0), 1.0, 1.0
        return
    for index in range(max(floor(begin + _NEAR), 0), max(ceil(end - _NEAR), 1)):
        inside = min(end, index + 1) - max(begin, index) if index else min(end, 1.0) - begin
        yield index, inside / (end - begin), inside


def joined(series: Iterable[OverTime]) -> list[OverTime]:
    """The series with one for each quantity and test of the processes that ran at the same time."""
    alike = defaultdict[tuple[str, str], list[OverTime]](list)
    for each in series:
        alike[each.name, each.test].append(each)
    found: list[OverTime] = []
    for several in alike.values():
        first = min(each.choice for each in several)
        chosen = sorted((each for each in several if each.choice == first), key=lambda each: each.start)
        found += [_together(at_once) for at_once in _at_once(chosen)]
    return _aligned(found)


def _aligned(series: Sequence[OverTime]) -> list[OverTime]:
    """The series of a test with one start, if their starts differ by less than a step: they are of one time."""
    starts: dict[str, float] = {}
    found: dict[int, OverTime] = {}
    for index, each in sorted(enumerate(series), key=lambda pair: pair[1].start):
        start = starts.get(each.test, each.start)
        starts[each.test] = start if each.start - start < each.step else each.start
        found[index] = replace(each, start=starts[each.test])
    return [found[index] for index in range(len(series))]


def _at_once(series: Sequence[OverTime]) -> Iterator[list[OverTime]]:
    """The series, in order of their starts, in groups that overlap in time by more than a step."""
    group: list[OverTime] = []
    end = 0.0
    for each in series:
        if group and each.start > end - each.step:
            yield group
            group = []
        end = max(end, _end(each)) if group else _end(each)
        group.append(each)
    if group:
        yield group


def _end(series: OverTime) -> float:
    return series.start + series.step * len(series.points)


def _together(series: Sequence[OverTime]) -> OverTime:
    """Several series of one quantity and test as one: amounts are added up, levels are averaged."""
    start, step = series[0].start, max(each.step for each in series)
    while max(map(_end, series)) - start > step * MOST_POINTS * (1 + _NEAR):
        step *= 2
    if len(series) == 1 and step == series[0].step:
        return series[0]
    spans = (
        TimedValue(each.start + i * each.step, each.start + (i + 1) * each.step, point)
        for each in series
        for i, point in enumerate(each.points)
    )
    return replace(series[0], start=start, step=step, points=in_steps(series[0].name, spans, start, step))


def integers_of(series: OverTime) -> tuple[float, list[int]]:
    """The scale and the integers of a series in documents: sums since its start of a counter, else levels."""
    if SAMPLED[series.name].grows:
        return 1.0, [round(amount) for amount in accumulate(series.points)]
    return LEVEL_SCALE, [round(level / LEVEL_SCALE) for level in series.points]
