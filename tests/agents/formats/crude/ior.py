"""A second reader of IOR's two tables, by the position of a word in its line."""

from collections.abc import Iterator

# Columns of a repetition in version 3.2, from the second word on; None is a size.
ROW = ("throughput", None, None, "elapsed", "elapsed", "elapsed", "elapsed", None)
SUMMARY = ("throughput",) * 4 + ("rate",) * 4 + ("elapsed",)


def cells(text: str) -> Iterator[tuple[int, str, str, float]]:
    """(line, test, metric, number in base units) of each number except zeros."""
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.split()
        if not words or words[0] not in ("write", "read", "remove"):
            continue
        columns = ROW if len(words) == 9 else SUMMARY
        for metric, word in zip(columns, words[1:]):
            if metric and word != "-" and float(word):
                yield number, words[0], metric, float(word) * (1024**2 if metric == "throughput" else 1)
