"""A second reader of Bencher Metric Format: the nearest measure above each number."""

import re
from collections.abc import Iterator

MEASURES = {"latency": ("latency_mean", 1e-9), "throughput": ("rate", 1), "build-time": ("elapsed", 1)}


def cells(text: str) -> Iterator[tuple[int, str, float]]:
    """(line, metric, number in base units); zeros too."""
    measure = ""
    for number, line in enumerate(text.split("\n"), start=1):
        for word, figure in re.findall(r'"([^"]+)"\s*:\s*([0-9.eE+-]+)?', line):
            if not figure:
                measure = word
            elif measure in MEASURES and word in ("value", "lower_value", "upper_value"):
                yield number, MEASURES[measure][0], float(figure) * MEASURES[measure][1]
