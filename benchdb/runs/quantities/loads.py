"""Whether runs measured rising load: throughputs beside latencies at several threads, depths or rates."""

from __future__ import annotations

import json

from .columns import BoolArray, Quantities

THROUGHPUTS = ("throughput", "rate")
OF_LOAD = ("depth", "rate", "bytes_per_second")  # params that are levels of load, as threads are
LEAST_LEVELS = 3  # two points are no curve


def measured_rising_load(quantities: Quantities) -> bool:
    """Whether a test of these runs has response curves: a throughput and a latency at `LEAST_LEVELS` levels of load."""
    metrics = [str(metric) for metric in quantities.values("metric", quantities.everything())]
    latencies = [metric for metric in metrics if metric.startswith("latency_")]
    with_latency = set(quantities.values("test", quantities.having("metric", latencies)))
    throughputs = quantities.having("metric", THROUGHPUTS)
    return any(_levels(quantities, throughputs & quantities.having("test", {test})) for test in with_latency)


def _levels(quantities: Quantities, mask: BoolArray) -> bool:
    """Whether these quantities have so many levels of any load; their params are JSON."""
    levels: dict[str, set[float]] = {"threads": set()}
    levels["threads"] |= {threads for threads in quantities.values("threads", mask) if isinstance(threads, int)}
    for text in quantities.values("params", mask):
        for key, value in json.loads(str(text)).items():
            if key in OF_LOAD and isinstance(value, (int, float)):
                levels.setdefault(key, set()).add(value)
    return any(len(each) >= LEAST_LEVELS for each in levels.values())
