"""What a log of fio says of a test: its figures, and the quantity over time."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import floor
from statistics import median_low

from benchagent.formats.over_time import OverTime, TimedValue, in_steps
from benchagent.formats.packing.histogram import packed_histogram
from benchagent.formats.packing.varint import PackingError
from benchagent.formats.reading.latency_figures import latency_figures
from benchagent.formats.sampled import MOST_POINTS

from .logs import HistogramSamples, Samples

HISTOGRAMS = "clat_hist"
KINDS = {"lat": "total", "clat": "completion", "slat": "submission", HISTOGRAMS: "completion"}
# Of the latencies of one test, only one kind is drawn over time: the first that there is.
_CHOICES = {"lat": 0, "clat": 1, HISTOGRAMS: 2, "slat": 3}
_FEWEST = 4  # steps; a shorter log says nothing about time
_UNFINISHED = 0.1  # of the last step may lack; a step with less of it would look like a fall
_STEPS = tuple(unit * 10.0**power for power in range(-1, 7) for unit in (1.0, 2.0, 5.0))  # seconds
_ROUNDED = 20  # steps of means are whole twentieths of a second
_SHORTEST_WINDOW = 100  # milliseconds; between lines of fio 2.0 to 2.2, which have a record size but are means
_EPOCH = 10**11  # milliseconds; later times are those of log_unix_epoch
_NS = {"ns": 1, "us": 1000}


@dataclass(frozen=True)
class Figures:
    """The figures of a test by metric, in base units, with the distribution of its latencies if each one is known.

    `of_means`: the latencies are the means of intervals, each with the same weight.
    """

    metrics: dict[str, float]
    histogram: str | None = None
    of_means: bool = False


def each_is_one(samples: Samples, word: str) -> bool:
    """Whether each line is one operation, and not a mean over some time.

    Means have no record size, but those of rates and throughputs had one up to fio 2.2.
    """
    if not all(samples.record_sizes):
        return False
    if word == "iops":
        return set(samples.values) == {1}
    gaps = [after - before for before, after in zip(samples.times, samples.times[1:]) if after >= before]
    return word != "bw" or not gaps or min(gaps) < _SHORTEST_WINDOW


def figures(samples: Samples, word: str, unit: str) -> Figures | None:
    """The figures of one direction of a log; None if it has no length in time, so that no rate follows from it."""
    single = each_is_one(samples, word)
    if word in KINDS:
        ns = _NS[unit]
        if single:
            return _of_counts(Counter(value * ns for value in samples.values))
        found = {"latency_mean": sum(samples.values) / len(samples.values) * ns / 1e9}
        return Figures(
            found | ({"latency_max": max(samples.greatest) * ns / 1e9} if samples.greatest else {}), None, True
        )
    spans = list(_spans(samples, word, single=single))
    seconds = max(span.end for span in spans) - (min(span.begin for span in spans) if _of_clock(samples.times) else 0)
    total = sum(span.value for span in spans)
    return Figures({"rate" if word == "iops" else "throughput": total / seconds}) if seconds > 0 else None


def figures_of_histograms(samples: HistogramSamples) -> Figures | None:
    """The figures of one direction of a `_clat_hist` log; None if it has no operation."""
    counts: Counter[int] = Counter()
    for each in samples.histograms:
        counts.update(each)
    return _of_counts(counts) if counts else None


def _of_counts(counts: Counter[int]) -> Figures:
    ascending = dict(sorted(counts.items()))
    try:
        packed = packed_histogram(ascending)
    except PackingError:
        packed = None
    return Figures(latency_figures(ascending), packed)


def over_time(samples: Samples, word: str, unit: str) -> Iterator[OverTime]:
    """The quantities of one direction over time, if the log is long enough; the tests are directions."""
    single = each_is_one(samples, word)
    step = _step(samples.times, single=single)
    first = min(samples.times) / 1000 if _of_clock(samples.times) else 0.0
    if word in KINDS:
        ns = _NS[unit]
        spans = {"latency_mean": list(_spans(samples, word, single=single, scale=ns / 1e9))}
        if single:
            spans["latency_max"] = spans["latency_mean"]
        elif samples.greatest:
            spans["latency_max"] = [
                mean._replace(value=value * ns / 1e9) for mean, value in zip(spans["latency_mean"], samples.greatest)
            ]
    else:
        spans = {"operations" if word == "iops" else "bytes": list(_spans(samples, word, single=single))}
    start = max(first - (0 if single else step), 0.0)
    whole = min(floor((max(samples.times) / 1000 - start) / step + _UNFINISHED), MOST_POINTS)
    for name, each in spans.items():
        if whole >= _FEWEST:
            points = in_steps(name, each, start, step)[:whole]
            yield OverTime(name, samples.direction, start, step, points, _CHOICES.get(word, 0))


def over_time_of_histograms(samples: HistogramSamples) -> Iterator[OverTime]:
    """The mean of the latencies over time."""
    means = Samples(samples.direction, samples.line)
    for time, counts in zip(samples.times, samples.histograms):
        if counts:
            means.times.append(time)
            means.values.append(round(sum(ns * count for ns, count in counts.items()) / sum(counts.values())))
            means.record_sizes.append(0)
    return over_time(means, HISTOGRAMS, "ns") if means.times else iter(())


def _spans(samples: Samples, word: str, *, single: bool, scale: float = 1.0) -> Iterator[TimedValue]:
    """The amount or latency of each line with its time in seconds.

    A mean is of the time since the line before. fio writes no line if nothing happened, so after a gap a mean is of one
    usual step. In a log that processes share, those of one follow the other's, so that the time goes back.
    """
    usual, before = _usual(samples.times), 0
    for time, value, size in zip(samples.times, samples.values, samples.record_sizes):
        before = before if before <= time else 0
        begin = time if single else before if time - before < 2 * usual else time - usual
        before, seconds = time, (time - begin) / 1000
        if word == "bw":
            amount = float(size) if single else value * 1024 * seconds
        elif word == "iops":
            amount = 1.0 if single else value * seconds
        else:
            amount = value * scale
        yield TimedValue(begin / 1000, time / 1000, amount)


def _of_clock(times: array[int]) -> bool:
    return times[0] > _EPOCH


def _usual(times: array[int]) -> int:
    """The median time between lines, in milliseconds; without a second line the time of the first since the start."""
    gaps = [after - before for before, after in zip(times, times[1:]) if after > before]
    return median_low(gaps) if gaps else 0 if _of_clock(times) else times[0]


def _step(times: array[int], *, single: bool) -> float:
    """The step of a series in seconds: that of the means, or one of a round number, so that the points suffice."""
    needed = (max(times) - (min(times) if _of_clock(times) else 0)) / 1000 / MOST_POINTS
    if single:
        return _STEPS[min(bisect_left(_STEPS, needed), len(_STEPS) - 1)]
    step = max(round(_usual(times) / 1000 * _ROUNDED), 2) / _ROUNDED
    while step < needed:
        step *= 2
    return step
