"""A second reader of compilebench's summary: takes the words of its rows apart at the blanks."""

from collections.abc import Iterator

UNITS = {"MB/s": ("throughput", 2**20), "seconds": ("elapsed", 1)}


def cells(text: str) -> Iterator[tuple[int, str, float]]:
    """(line, metric, number in base units); zeros too."""
    for number, line in enumerate(text.split("\n"), start=1):
        if " total runs " in line:
            words = line.split(" avg ")[1].replace("(", "").split()
            metric, unit = UNITS[words[1]]
            yield number, metric, float(words[0]) * unit
            for name, metric in (("user", "user_time"), ("sys", "system_time")):
                yield number, metric, float(words[words.index(name) + 1].rstrip("s)"))
