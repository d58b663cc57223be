"""A second reader of hdparm's timings: the number after the equals sign."""

from collections.abc import Iterator


def cells(text: str) -> Iterator[tuple[int, str, float]]:
    """(line, metric, number in base units)."""
    for number, line in enumerate(text.split("\n"), start=1):
        if "Timing" in line and "=" in line:
            figure, unit = line.rpartition("=")[2].split()[:2]
            yield number, "throughput", float(figure) * (2**20 if unit.startswith("MB") else 2**10)
