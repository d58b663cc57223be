"""A second reader of mdtest's rows: the words before the colon and the numbers after it."""

from collections.abc import Iterator


def cells(text: str) -> Iterator[tuple[int, str, str, float]]:
    """(line, test, metric, number) of each number except zeros, in printed order within a line."""
    for number, line in enumerate(text.split("\n"), start=1):
        head, colon, tail = line.replace("V-1:", "").replace("main:", "").partition(":")
        test = head.strip().lower().replace(" ", "_")
        if not colon or test.split("_")[0] not in ("file", "directory", "tree"):
            continue
        words = tail.split()
        if "ops/sec" in words:
            if float(words[2]):
                yield number, test, "elapsed", float(words[0])
                yield number, test, "rate", float(words[2])
        else:
            yield from ((number, test, "rate", float(word)) for word in words if float(word))
