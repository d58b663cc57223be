"""A second reader of IOR's JSON: looks only at the key of each line, and whether the summary has begun."""

import re
from collections.abc import Iterator

MIB = 2.0**20
REPETITION = {"bwMiB": ("throughput", MIB), "iops": ("rate", 1), "latency": ("latency_mean", 1)}


def cells(text: str) -> Iterator[tuple[int, str, float]]:
    """(line, metric, number in base units); zeros too. Of a summary whose numbers are equal, only the mean."""
    summary: list[tuple[int, str, float]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        match = re.match(r'\s*"(\w+)": ([0-9.]+),?\s*$', line)
        if not match:
            continue
        key, figure = match[1], float(match[2])
        if key in REPETITION:
            yield number, REPETITION[key][0], figure * REPETITION[key][1]
        elif key in ("openTime", "wrRdTime", "closeTime", "totalTime", "MeanTime"):
            yield number, "elapsed", figure
        elif key.startswith(("bwM", "bwStd", "OPs")):
            rate = key.startswith("OPs")
            summary.append((number, "rate" if rate else "throughput", figure * (1 if rate else MIB)))
            if len(summary) == 4:
                yield from summary if len({cell[2] for cell in summary[:3]}) > 1 else summary[2:3]
                summary = []
