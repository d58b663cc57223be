"""A second reader of elbencho's table, CSV and JSON: the words after a colon, the columns and keys by their names."""

import json
import re
from collections.abc import Iterator

TYPES = {
    "Elapsed time": "elapsed",
    "Elapsed ms": "elapsed",
    "IOPS": "rate",
    "Files/s": "rate",
    "Dirs/s": "rate",
    "Throughput MiB/s": "throughput",
    "MiB/s": "throughput",
    "Throughput MB/s": "throughput",
}
KEYS = {
    "elapsed_time_ms": ("elapsed", 1e-3),
    "entries/s": ("rate", 1),
    "iops": ("rate", 1),
    "bytes/s": ("throughput", 1),
    "min_us": ("latency_min", 1e-6),
    "avg_us": ("latency_mean", 1e-6),
    "max_us": ("latency_max", 1e-6),
}
UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
LATENCIES = ("latency_min", "latency_mean", "latency_max")
COLUMNS = {"time": ("elapsed", 1e-3), "entries/s": ("rate", 1), "IOPS": ("rate", 1), "MiB/s": ("throughput", 2**20)}


def cells(text: str) -> Iterator[tuple[int, str, float]]:
    """(line, metric, number in base units); zeros too."""
    names: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.startswith("{"):
            for key, figure in pairs(json.loads(line)):
                if key in KEYS:
                    yield number, KEYS[key][0], float(figure) * KEYS[key][1]
        elif line.startswith("ISO date"):
            names = line.split(",")
        elif names and line:
            for name, field in zip(names, line.split(","), strict=True):
                word = name.removeprefix("rwmix read ").split(" ")[0]
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
            kind = re.sub(r" (write|read|total)$", "", kind.rstrip())
            metric = next((TYPES[name] for name in TYPES if kind.rstrip().endswith(name)), None)
            for word in figures.split() if colon and metric and len(figures.split()) == 2 else ():
                yield (
                    number,
                    str(metric),
                    time(word) if metric == "elapsed" and not word.isdigit() else plain(kind, word),
                )


def plain(kind: str, word: str) -> float:
    unit = 1e-3 if "Elapsed ms" in kind else 2**20 if "MiB/s" in kind else 10**6 if "MB/s" in kind else 1
    return float(word) * unit


def pairs(node: dict) -> Iterator[tuple[str, str]]:
    """Every key with a text, at any depth."""
    for key, value in node.items():
        if isinstance(value, dict):
            yield from pairs(value)
        elif isinstance(value, str):
            yield key, value


def time(word: str) -> float:
    minutes, seconds, unit = re.fullmatch(r"(?:(\d+)m(?=\d))?([\d.]+)(ms|s)", word).groups()
    return int(minutes or 0) * 60 + float(seconds) * UNITS[unit]
