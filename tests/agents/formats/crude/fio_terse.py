"""A second reader of fio's terse lines: the columns by their numbers, as fio's manual counts them."""

import re

from .comparison import Found

LINE = re.compile(r"[345];(?:fio[- ])?[0-9]|2;\w+;[0-9]+;[0-9]+;")
# The columns of the first direction, from 0, each with its metric and unit; the next direction is a step further.
COLUMNS = {6: ("throughput", 1024), 7: ("rate", 1), 8: ("elapsed", 1e-3)}
COLUMNS |= {9: ("latency_min", 1e-6), 10: ("latency_max", 1e-6), 11: ("latency_mean", 1e-6), 12: ("latency_mean", 1e-6)}
COLUMNS |= {
    13: ("latency_min", 1e-6),
    14: ("latency_max", 1e-6),
    15: ("latency_mean", 1e-6),
    16: ("latency_mean", 1e-6),
}
COLUMNS |= {
    37: ("latency_min", 1e-6),
    38: ("latency_max", 1e-6),
    39: ("latency_mean", 1e-6),
    40: ("latency_mean", 1e-6),
}
COLUMNS |= {41: ("throughput", 1024), 42: ("throughput", 1024), 44: ("throughput", 1024), 45: ("throughput", 1024)}
OF_VERSION_5 = {47: ("rate", 1), 48: ("rate", 1), 49: ("rate", 1), 50: ("rate", 1)}
# Version 2 of fio before 2.0, which has neither IOPS nor percentiles.
PLAIN = {5: ("throughput", 1000), 6: ("elapsed", 1e-3)}
PLAIN |= {
    start + at: (f"latency_{kind}", 1e-6)
    for start in (7, 11, 15)
    for at, kind in enumerate(("min", "max", "mean", "mean"))
}
PLAIN |= dict.fromkeys((19, 20, 22, 23), ("throughput", 1024))
PERCENTILES = range(17, 37)
NAMED = {50: "p50", 90: "p90", 95: "p95", 99: "p99", 99.9: "p999", 99.99: "p9999"}


def found(text: str, bandwidth: int = 1024) -> Found:
    """(line, metric, number in base units) of every column with a measurement, except zeros.

    `bandwidth` is the unit of bandwidths in bytes a second, 1000 before fio 2.0.8.
    """
    numbers: Found = Found()
    for line, printed in enumerate(text.split("\n"), start=1):
        if LINE.match(printed):
            for metric, number in _of_line(printed.split(";"), bandwidth):
                numbers[line, metric, float(f"{number:.9g}")] += number != 0
    return +numbers


def _of_line(fields: list[str], bandwidth: int) -> list[tuple[str, float]]:
    version = fields[0]
    if version == "2" and not any("%=" in each for each in fields):
        numbers = [
            (metric, float(fields[at + step]) * unit) for step in (0, 20) for at, (metric, unit) in PLAIN.items()
        ]
        return [*numbers, *[("cpu_of_one_core", float(fields[at].strip("%")) / 100) for at in (44, 45)]]
    if version == "2":
        fields = ["2", "", *fields[1:]]
    step = 47 if version == "5" else 41
    columns = {**COLUMNS, 6: ("throughput", bandwidth), **(OF_VERSION_5 if version == "5" else {})}
    directions = sum("%=" in each for each in fields) // len(PERCENTILES)
    numbers = []
    for start in range(0, directions * step, step):
        numbers += [(metric, float(fields[start + at]) * unit) for at, (metric, unit) in columns.items()]
        for at in PERCENTILES:
            share, number = map(float, fields[start + at].split("%="))
            metric = f"latency_{NAMED.get(share, 'percentile')}"
            numbers += [(metric, number * 1e-6)] * (share > 0)
    cpu = 5 + directions * step
    if any(number for _, number in numbers):  # else the work is not in the line: version 3 has no columns of trim
        numbers += [("cpu_of_one_core", float(fields[cpu + at].strip("%")) / 100) for at in (0, 1)]
    return numbers
