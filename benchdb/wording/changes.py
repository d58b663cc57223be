"""The change of a metric as words of a sentence: `24.7 % less time`, `p99 latency × 2`."""

from __future__ import annotations

from .numbers import say_change, say_changes
from .words import metric_label

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


def change_in_words(metric: str, change: str) -> str:
    """A change of `say_change`: `24.7 % less time`, `12.0 % lower p99 latency`; of a factor `p99 latency × 2`."""
    noun = metric_noun(metric)
    if not change.endswith("%"):
        return f"{noun} {change}"
    return f"{change[1:]} {_comparative(metric, up=change.startswith('+'))} {noun}"


def say_no_difference(low: float, high: float) -> str:
    """What an interval of a ratio excludes: `no difference above 17.5 %`, beyond ÷ 1.5 and × 2 `… above × 5.5`."""
    percentages = all(end.endswith("%") for end in say_changes(low, high))
    largest = say_change(1 + max(1 - low, high - 1) if percentages else max(1 / low, high))
    return f"no difference above {largest.removeprefix('more than ').removeprefix('+')}"


def _comparative(metric: str, *, up: bool) -> str:
    if metric in _MORE_LESS:
        return "more" if up else "less"
    if metric == "extents_per_file":
        return "more" if up else "fewer"
    return "higher" if up else "lower"
