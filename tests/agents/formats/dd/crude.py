"""A second reader of dd's reports: the last two numbers of a line that ends in a rate, by its commas."""

import re
from collections.abc import Iterator

POWERS = {"": 0, "k": 1, "K": 1, "M": 2, "G": 3, "T": 4}
TAIL = re.compile(r"([0-9]+[.,]?[0-9]*(?:e-[0-9]+)?) ?[^\W\d]+[,，、] ?([0-9]+[.,]?[0-9]*)( ?)([kKMGT]?)B/[^\W\d]+$")


def cells(text: str) -> Iterator[tuple[int, str, float]]:
    """(line, metric, number in base units) of each report except those of progress, before a count of records."""
    lines = text.split("\n")
    counts = [bool(re.search(r"[0-9]\+[0-9]", line[:20])) for line in [*lines, ""]]
    for number, line in enumerate(map(str.rstrip, lines), start=1):
        if counts[number] and not counts[number - 2]:
            continue
        if line.endswith(" bytes/sec)"):
            words = line.split()
            yield number, "elapsed", float(words[4])
            yield number, "throughput", float(words[6].strip("("))
        elif (match := TAIL.search(line)) and "\r" not in line:
            base = 1000 if match[3] else 1024
            yield number, "elapsed", float(match[1].replace(",", "."))
            yield number, "throughput", float(match[2].replace(",", ".")) * base ** POWERS[match[4]]
