"""Facts as partitions of runs: which are the same, and which follow from others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchdb.stats.arrays import IntArray


def renumbered(codes: IntArray) -> IntArray:
    """Codes (F, N) as 0, 1, … in the order of their first appearance, so that equal partitions have equal rows."""
    rows = np.empty_like(codes)
    for row, own in zip(rows, codes, strict=True):
        _, first, inverse = np.unique(own, return_index=True, return_inverse=True)
        row[:] = np.argsort(np.argsort(first))[inverse]
    return rows


def same_partitions(codes: IntArray) -> list[tuple[int, ...]]:
    """Groups of facts that always changed together, from `renumbered` codes (F, N), without facts that never change."""
    groups: dict[bytes, list[int]] = {}
    for fact, row in enumerate(codes):
        if row.size and row.max() > 0:
            groups.setdefault(row.tobytes(), []).append(fact)
    return [tuple(group) for group in groups.values()]


def determined_by(codes: IntArray) -> list[tuple[int, ...]]:
    """For each of G different partitions (G, N), as `renumbered`, the others from which it follows."""
    levels = [int(row.max()) + 1 if row.size else 0 for row in codes]
    return [
        tuple(
            other
            for other in range(len(codes))
            if other != own and levels[other] > levels[own] and _pairs(codes[own], codes[other]) == levels[other]
        )
        for own in range(len(codes))
    ]


def joined(codes: IntArray, most: int) -> IntArray:
    """The codes (N,) with all but the most frequent `most` levels joined into one."""
    counts = np.bincount(codes)
    if counts.size <= most:
        return codes
    kept = np.argsort(-counts, kind="stable")[: most - 1]
    new = np.full(counts.size, most - 1, dtype=np.int64)
    new[kept] = np.arange(most - 1)
    return np.asarray(new[codes], dtype=np.int64)


def combined(codes: Sequence[IntArray] | IntArray, runs: int) -> IntArray:
    """A code (runs,) for each combination of the values of some facts."""
    together = np.zeros(runs, dtype=np.int64)
    for row in codes:
        _, together = np.unique(together * (int(row.max(initial=0)) + 1) + row, return_inverse=True)
    return together


def _pairs(first: IntArray, second: IntArray) -> int:
    """The number of different pairs of values."""
    return int(np.count_nonzero(np.bincount(first * (int(second.max()) + 1) + second)))
