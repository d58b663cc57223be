"""A second reader of fio's logs over time: sums over their columns, for logs of one process."""

import csv
from collections import defaultdict

Rows = list[list[int]]


def rows(text: str) -> dict[int, Rows]:
    """The numbers of each line by the code of its direction, in a log that is no histogram and has one value a line."""
    found: dict[int, Rows] = defaultdict(list)
    for row in csv.reader(text.splitlines(), skipinitialspace=True):
        found[int(row[2])].append([int(field, 0) for field in row])
    return found


def single_operations(lines: Rows) -> tuple[int, int, float, int]:
    """Operations, bytes, mean and greatest value of lines that are one operation each."""
    values = [row[1] for row in lines]
    return len(lines), sum(row[3] for row in lines), sum(values) / len(values), max(values)


def mean_of_steps(lines: Rows) -> float:
    """The mean of means, each weighted by the time since the one before."""
    before, total = 0, 0
    for row in lines:
        total, before = total + row[1] * (row[0] - before), row[0]
    return total / before
