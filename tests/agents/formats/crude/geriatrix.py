"""A second reader of Geriatrix' summary: it has one measurement."""

from collections import Counter

from tests.agents.formats.crude.comparison import Found, value


def cells(text: str) -> Found:
    found: Found = Counter()
    for number, line in enumerate(text.split("\n"), start=1):
        if "Total runtime" in line:
            found[number, "elapsed", value(line.split("=")[1].split()[0], 60)] += 1
    return found


def bytes_written(text: str) -> list[int]:
    lines = [line for line in text.split("\n") if "workload created" in line]
    return [int(line.split()[-2]) * 1048576 for line in lines]
