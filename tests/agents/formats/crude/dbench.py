"""A second reader of dbench's table and closing line: by the number of words in a line."""

from __future__ import annotations

from collections.abc import Iterator


def cells(text: str) -> Iterator[tuple[int, str, str, str | None, float]]:
    """(line, test, metric, client, number in base units); zeros too."""
    client = None
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.split()
        if line.startswith("Client "):
            client = words[1]
        elif line.startswith("Throughput "):
            client = None
            yield number, "dbench", "throughput", None, float(words[1]) * 1e6
            if "max_latency=" in line:
                yield number, "dbench", "latency_max", None, float(line.split("max_latency=")[1].split()[0]) / 1e3
        elif len(words) == 4 and words[1].isdigit() and line.startswith(" ") and words[0][0].isalpha():
            yield number, words[0].lower(), "latency_mean", client, float(words[2]) / 1e3
            yield number, words[0].lower(), "latency_max", client, float(words[3]) / 1e3
