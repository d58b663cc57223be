"""A second reader of PostMark's verbose reports: counts words in each line and keeps only the current report."""

from __future__ import annotations

from collections.abc import Iterator

# The metrics of a line's numbers, by words that occur in no other line.
TIMES = {"seconds total": "total", "seconds of transactions": "transactions"}
COUNTS = {" created (": "create", " read (": "read", " appended (": "append", " deleted (": "delete"}
PARTS = {"Creation alone": "create", "Deletion alone": "delete"}
TIMES_1024 = {"bytes": 1.0, "kilobytes": 1024.0, "megabytes": 1024.0**2}


def cells(text: str) -> Iterator[tuple[int, str, str, str | None, float]]:
    """(line, test, metric, phase, number in base units); zeros too."""
    mixed_with = ""
    for number, line in enumerate(text.replace("# ", "").split("\n"), start=1):
        words = line.replace("(", "( ").replace(")", "").split()
        if not line.rstrip().endswith(("total", "per second)")):
            continue
        for words_of, test in TIMES.items():
            if words_of in line:
                yield number, test, "elapsed", None, float(words[0])
        if "of transactions" in line:
            yield number, "transactions", "rate", None, float(words[-3])
        elif "alone" in line or "Mixed" in line:
            test = PARTS.get(" ".join(words[:2]).rstrip(":"), mixed_with)
            yield number, test, "rate", "alone" if "alone" in line else "with_transactions", float(words[-3])
        elif "bytes read" in line or "bytes written" in line:
            test = "read" if "bytes read" in line else "write"
            yield number, test, "throughput", None, float(words[-4]) * TIMES_1024[words[-3]]
        else:
            for words_of, test in COUNTS.items():
                if words_of in line:
                    mixed_with = test
                    yield number, test, "rate", None, float(words[-3])
