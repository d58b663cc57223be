"""A second reader of Filebench's output: every number is followed by its unit."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction

from tests.agents.formats.crude.comparison import Found, value


def cells(text: str) -> Found:
    counted: Found = Counter()
    for number, line in enumerate(text.split("\n"), start=1):
        if "Run took" in line:
            counted[number, "elapsed", value(line.split()[-2])] += 1
        elif "NO VALID RESULTS" in line:
            counted[number, "rate", None] += 1
        elif "ops/s" in line and "mb/s" in line:
            for metric, figure in _figures(line):
                counted[number, metric, figure] += 1
    return counted


def _figures(line: str) -> list[tuple[str, float | None]]:
    """(metric, value) pairs of a line; the values are None if there were no operations."""
    line = line.split("IO Summary:")[-1].replace(" ops/s", "ops/s").replace("us cpu/op", "us/op-cpu")
    words = re.findall(r"([0-9.]+)(ops/s|mb/s|us/op-cpu|ms)", line)
    figures = [("rate", word, Fraction(1)) for word, unit in words if unit == "ops/s"]
    figures += [("throughput", word, Fraction(1024 * 1024)) for word, unit in words if unit == "mb/s"]
    figures += [("cpu_per_operation", word, Fraction(1, 10**6)) for word, unit in words if unit == "us/op-cpu"]
    times = [word for word, unit in words if unit == "ms"]
    names = ("latency_mean", "latency_min", "latency_max")
    figures += [(name, word, Fraction(1, 1000)) for name, word in zip(names, times)]
    if sides := re.search(r"([0-9]+)/([0-9]+) r", line):
        figures += [("rate", side, Fraction(1)) for side in sides.groups()]
    nothing = re.search(r"(?:^|\s)0+ ?ops\b(?!/)", line)
    return [(metric, None if nothing else value(word, times)) for metric, word, times in figures]
