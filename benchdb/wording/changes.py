"""The change of a metric as words of a sentence: `2.5× slower`, `24 % less time`, `2× longer p99 latency`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from math import ceil, floor, log10
from typing import NamedTuple

from .numbers import say_number
from .words import metric_label

MOST_DECIMALS = 1  # more than the width of the interval calls for: 1.495× says no more than 1.5×
LARGEST_PERCENTAGE = 1.5  # the farthest ratio that is written in percent
LARGEST_FACTOR = 1e9

_NOUNS = {
    "elapsed": "time",
    "cpu_time": "CPU time",
    "cpu_per_operation": "CPU time per operation",
    "cpu_of_one_core": "CPU",
    "cpu_of_all_cores": "CPU",
    "latency_mean": "mean latency",
    "latency_min": "minimum latency",
    "latency_p50": "median latency",
    "latency_p90": "p90 latency",
    "latency_p95": "p95 latency",
    "latency_p99": "p99 latency",
    "latency_p999": "p99.9 latency",
    "latency_p9999": "p99.99 latency",
    "latency_percentile": "latency percentile",
    "latency_max": "maximum latency",
}
_MORE_LESS = {"throughput", "elapsed", "user_time", "system_time", "cpu_time", "cpu_per_operation"}
_MORE_LESS |= {"cpu_of_one_core", "cpu_of_all_cores"}


def metric_noun(metric: str) -> str:
    """The metric inside a sentence: `time`, `p99 latency`, `throughput`."""
    return _NOUNS.get(metric) or metric_label(metric)


class ChangeDirection(NamedTuple):
    """How a sentence says that a figure changed: `is 2× slower`, `takes 24 % less time`, `has 2× longer p99 latency`.

    `up` and `down` are the words for a larger and a smaller figure, `noun` follows them.
    """

    verb: str
    up: str
    down: str
    noun: str


@cache
def direction_of(metric: str, *, percent: bool = False) -> ChangeDirection:
    """The words for changes of a metric ("" is any quantity): a time has `24 % less time`, or is `2.5× longer`."""
    noun = metric_noun(metric)
    if metric in ("throughput", "rate"):
        return ChangeDirection("is", "faster", "slower", "")
    if metric == "elapsed":
        return (
            ChangeDirection("takes", "more", "less", noun)
            if percent
            else ChangeDirection("takes", "longer", "shorter", "")
        )
    if metric in _MORE_LESS:
        return ChangeDirection("uses", "more", "less", noun)
    if metric.startswith("latency"):
        return ChangeDirection("has", "longer", "shorter", noun)
    up, down = ("more", "fewer") if metric == "extents_per_file" else ("higher", "lower")
    return ChangeDirection("has", up, down, noun)


class EffectWords(NamedTuple):
    """A ratio in words: its `size` alone (`2×`), the `change` with its direction, the `interval` ("" if unknown).

    The `direction` is "" if the interval contains 1, because each of its ends has one. The `verb` stands before the
    change, the `noun` after it.
    """

    size: str
    change: str
    interval: str
    direction: str
    verb: str
    noun: str

    @property
    def phrase(self) -> str:
        """`24 % less time`: the change with its noun."""
        return f"{self.change} {self.noun}".rstrip()

    @property
    def in_full(self) -> str:
        """`24 % less time (95 % interval 20 % to 30 %)`."""
        return f"{self.phrase} (95 % interval {self.interval})" if self.interval else self.phrase


def in_percent(ratios: Sequence[float]) -> bool:
    """Whether all of these ratios are written in percent, as between ÷ 1.5 and × 1.5; else they are factors."""
    return all(1 / LARGEST_PERCENTAGE <= ratio <= LARGEST_PERCENTAGE for ratio in ratios)


def effect_in_words(
    metric: str,
    ratio: float,
    low: float | None = None,
    high: float | None = None,
    *,
    percent: bool | None = None,
    signed: bool = False,
) -> EffectWords:
    """`2.5× slower` with `1.7× to 3.6×`, `12 % faster` with `8 % to 15 %`; `+11 %` with `−14 % to +44 %`.

    `ratio` and the ends of its 95 % interval are those of the figure itself. Signs and words stand at both ends if the
    interval contains 1, or if it is to be `signed`. All three are percentages, or all are factors: as `percent` says,
    or as they need.
    """
    written = (ratio,) if low is None or high is None else (ratio, low, high)
    ratios = tuple(min(max(each, 1 / LARGEST_FACTOR), LARGEST_FACTOR) for each in written)
    return _effect_in_words(metric, ratios, in_percent(ratios) if percent is None else percent, signed)


@lru_cache(4096)  # a verdict and its cell say the same
def _effect_in_words(metric: str, ratios: tuple[float, ...], percent: bool, signed: bool) -> EffectWords:
    verb, up, down, noun = direction_of(metric, percent=percent)
    sizes = _sizes(ratios, percent=percent)
    if signed or min(ratios) <= 1 <= max(ratios):
        words = [
            size if is_none else _with_direction(each, size, up, down, percent=percent)
            for each, (size, is_none) in zip(ratios, sizes, strict=True)
        ]
        return EffectWords(sizes[0][0], words[0], " to ".join(words[1:]), "", verb, noun)
    size, *ends = [text for text, _ in sizes]
    word, ends = (up, ends) if ratios[0] > 1 else (down, ends[::-1])
    return EffectWords(size, f"{size} {word}", " to ".join(ends), word, verb, noun)


def change_and_interval(
    metric: str, ratio: float | None, low: float | None = None, high: float | None = None
) -> tuple[str, str]:
    """A ratio and its interval for a table: `24 % less` and `20 % to 30 %`; "" for what is not known."""
    if ratio is None:
        return "", ""
    words = effect_in_words(metric, ratio, low, high)
    return words.change, words.interval


def common_metric(metrics: Iterable[str]) -> str:
    """The metric of all; "" for several, whose figures are higher or lower."""
    first, *others = {*metrics}
    return "" if others else first


def range_in_words(metric: str, low: float, high: float) -> str:
    """All changes from the lower ratio to the higher: `1.7× to 3.6× slower`, `−14 % to +44 %`."""
    words = effect_in_words(metric, low, low, high)
    return f"{words.interval} {words.direction}".rstrip()


def _with_direction(ratio: float, size: str, up: str, down: str, *, percent: bool) -> str:
    """`+11 %`, `2× slower`."""
    return f"{'−' if ratio < 1 else '+'}{size}" if percent else f"{size} {up if ratio > 1 else down}"


def largest_difference(low: float, high: float) -> str:
    """The largest difference in an interval of a ratio, rounded up: `45 %`, `2.1×`."""
    if not in_percent([low, high]):
        return f"{_rounded_up(min(max(1 / low, high), LARGEST_FACTOR))}×"
    return f"{_rounded_up(100 * max(1 - low, high - 1))} %"


def _rounded_up(value: float) -> str:
    places = 10.0 ** max(1 - floor(log10(max(value, 0.001))), 0)
    return f"{ceil(round(value * places, 6)) / places:.15g}"


def _sizes(ratios: Sequence[float], *, percent: bool) -> list[tuple[str, bool]]:
    """Without a direction, `12 %`, `2.5×`, and whether it is rounded to none.

    The first of `ratios` is the estimate, the others are its interval. A percentage has the decimals that the width of
    the interval calls for, a factor two significant digits; one more if different ratios would else look alike.
    """
    shown = [100 * abs(ratio - 1) if percent else max(ratio, 1 / ratio) for ratio in ratios]
    wide = (max(ratios) - min(ratios)) * 50 if len(ratios) > 1 else shown[0] / 10
    first = int(wide < 1) if percent else int(min(shown) < 9.95)
    texts: list[str] = []
    of_each: list[int] = []
    falls, differing = [ratio < 1 for ratio in ratios], len({*ratios})
    for decimals in range(first, first + MOST_DECIMALS + 1):
        of_each = [decimals if percent or each < 9.95 else max(decimals - first, 0) for each in shown]
        texts = [say_number(each, places) for each, places in zip(shown, of_each, strict=True)]
        if len({*zip(falls, texts, strict=True)}) == differing:
            break
    none = 0 if percent else 1
    sizes = []
    for each, places, text in zip(shown, of_each, texts, strict=True):
        is_none = round(each, places) == none
        if is_none and each != none and not min(ratios) < 1 < max(ratios):  # a difference is never written as none
            text, is_none = say_number(each, -floor(log10(each - none))), False
        sizes.append((f"{text} %" if percent else f"{text.removesuffix('.0')}×", is_none))
    return sizes
