"""A second reader of sysbench's closing numbers: the last word of a line with a known name."""

import re
from collections.abc import Iterator

LATENCIES = {"min:": "latency_min", "avg:": "latency_mean", "max:": "latency_max"}
PERCENTILES = {"95": "latency_p95", "99": "latency_p99"}


def cells(text: str) -> Iterator[tuple[int, str, float]]:
    """(line, metric, number in base units) of runs that did not fail; zeros too."""
    for run in re.split(r"(?m)^(?=sysbench [0-9])", text):
        first = text[: text.index(run)].count("\n") + 1 if run else 1
        if ("FATAL" not in run and "Doing" in run) or "bytes written" in run:
            yield from lines(run, first)


def lines(run: str, first: int) -> Iterator[tuple[int, str, float]]:
    for number, line in enumerate(run.split("\n"), start=first):
        words = line.split()
        if "Requests/sec executed" in line:
            yield number, "rate", float(words[0])
        elif "Total transferred" in line:
            figure, unit = re.findall(r"\(([0-9.]+)([KMG]?)b/sec\)", line)[0]
            yield number, "throughput", float(figure) * 1024 ** " KMG".index(unit or " ")
        elif re.match(r"\s+(reads|writes|fsyncs)/s:", line):
            yield number, "rate", float(words[-1])
        elif ", MiB/s:" in line:
            yield number, "throughput", float(words[-1]) * 2**20
        elif "bytes written in" in line:
            yield number, "throughput", float(words[6].strip("(")) * 2**20
        elif words and words[0] in LATENCIES:
            yield number, LATENCIES[words[0]], float(words[-1].removesuffix("ms")) / 1000
        elif "percentile:" in line:
            percent = words[0].removesuffix("th") if words[0] != "approx." else words[1]
            yield number, PERCENTILES[percent], float(words[-1].removesuffix("ms")) / 1000
