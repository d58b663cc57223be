"""Figures of a distribution of latencies: mean, largest, and the percentiles with enough operations beyond them."""

from __future__ import annotations

from collections.abc import Mapping

from .percentiles import SHARES, has_enough_beyond

_PERCENTILES = ("latency_p50", "latency_p90", "latency_p99", "latency_p999", "latency_p9999")


def latency_figures(counts: Mapping[int, int]) -> dict[str, float]:
    """The figures in seconds, by metric; `counts` are operations by latency in ns, ascending, at least one."""
    operations = sum(counts.values())
    found = {
        "latency_mean": sum(latency * count for latency, count in counts.items()) / operations / 1e9,
        "latency_max": max(counts) / 1e9,
    }
    ranks = {metric: SHARES[metric] for metric in _PERCENTILES if has_enough_beyond(SHARES[metric], operations)}
    below = 0
    for latency, count in counts.items():
        below += count
        for metric in [metric for metric, share in ranks.items() if below >= operations * share * (1 - 1e-12)]:
            found[metric] = latency / 1e9
            del ranks[metric]
    return found
