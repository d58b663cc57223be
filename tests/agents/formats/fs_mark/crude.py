"""A second reader of fs_mark's rows, by the number of words below the header."""

from collections.abc import Iterator


def cells(text: str) -> Iterator[tuple[int, str, float]]:
    """(line, metric, number in base units); zeros too."""
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.split()
        if len(words) in (5, 23) and words[0].isdigit() and "." in words[3]:
            yield number, "rate", float(words[3])
            for column, word in enumerate(words[5:]):
                yield number, ("latency_min", "latency_mean", "latency_max")[column % 3], int(word) / 1e6
