"""A second reader of elbencho's table and CSV file: the words after a colon, and the columns by their names."""

from __future__ import annotations

import re
from collections.abc import Iterator

TYPES = {
    "Elapsed time": "elapsed",
    "Elapsed ms": "elapsed",
    "IOPS": "rate",
    "Files/s": "rate",
    "Dirs/s": "rate",
    "Throughput MiB/s": "throughput",
}
UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
LATENCIES = ("latency_min", "latency_mean", "latency_max")
COLUMNS = {"time": ("elapsed", 1e-3), "entries/s": ("rate", 1), "IOPS": ("rate", 1), "MiB/s": ("throughput", 2**20)}


def cells(text: str) -> Iterator[tuple[int, str, float]]:
    """(line, metric, number in base units); zeros too."""
    names: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.startswith("ISO date"):
            names = line.split(",")
        elif names and line:
            for name, field in zip(names, line.split(","), strict=True):
                word = name.split(" ")[0]
                if field and " [" in name and word in COLUMNS:
                    yield number, COLUMNS[word][0], float(field) * COLUMNS[word][1]
                elif field and "lat us" in name:
                    place = ("[min]", "[avg]", "[max]").index(name.rpartition(" ")[2])
                    yield number, LATENCIES[place], float(field) * 1e-6
        elif "latency" in line and "min=" in line:
            for metric, figure in zip(LATENCIES, re.findall(r"=([0-9.]+)([mu]?s)", line), strict=True):
                yield number, metric, float(figure[0]) * UNITS[figure[1]]
        else:
            kind, colon, figures = line.partition(" : ")
            metric = next((TYPES[name] for name in TYPES if kind.rstrip().endswith(name)), None)
            for word in figures.split() if colon and metric and len(figures.split()) == 2 else ():
                yield (
                    number,
                    str(metric),
                    time(word) if metric == "elapsed" and not word.isdigit() else plain(kind, word),
                )


def plain(kind: str, word: str) -> float:
    return float(word) * (1e-3 if "Elapsed ms" in kind else 2**20 if "MiB/s" in kind else 1)


def time(word: str) -> float:
    minutes, seconds, unit = re.fullmatch(r"(?:(\d+)m(?=\d))?([\d.]+)(ms|s)", word).groups()
    return int(minutes or 0) * 60 + float(seconds) * UNITS[unit]
