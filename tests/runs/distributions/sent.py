"""A run with distributions of latencies."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchagent.formats.packing.histogram import packed_histogram
from tests.support.documents import document, result

# 99,000 operations of 1 to 2 µs, 900 of a tenth of a millisecond, and 100 of 5 ms.
FAST = {1000 + 10 * i: 990 for i in range(100)} | {100_000: 900, 5_000_000: 100}


def latencies(*counts: Mapping[int, int] | None, **fields: Any) -> dict[str, Any]:
    """A result of mean latencies with a distribution for each round; None: the round has no value."""
    means = [None if each is None else _mean(each) for each in counts]
    packed = [None if each is None else packed_histogram(each) for each in counts]
    return result(means, metric="latency_mean", unit="s", histograms=packed, **fields)


def with_distributions(rounds: Sequence[Mapping[int, int] | None], **sections: Any) -> dict[str, Any]:
    """A document of a throughput and of latencies with these distributions."""
    results = [result([1e6 + i for i in range(len(rounds))]), latencies(*rounds)]
    return document(rounds=len(rounds), results=results, **{"visibility": "public", **sections})


def _mean(counts: Mapping[int, int]) -> float:
    return sum(latency * count for latency, count in counts.items()) / sum(counts.values()) / 1e9
