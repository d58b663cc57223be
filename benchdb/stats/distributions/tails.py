"""Compares the tails of latencies of cells with those of their baselines: a high percentile of each round.

Rounds are the sample, or runs if a cell has several, as for means; single operations never are. The percentile is the
highest of `TAIL_SHARES` that leaves `LEAST_BEYOND` slower operations in every round of both sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain

import numpy as np

from benchdb.stats.arrays import FloatArray, IntArray
from benchdb.stats.comparing.baseline import LEVEL, MARGIN, compare
from benchdb.stats.comparing.cells import Cells
from benchdb.stats.comparing.comparisons import Comparisons
from benchdb.stats.comparing.multiple_testing import Correction

from .decoding import decoded
from .percentiles import shown_shares

TAIL_SHARES = (0.99, 0.999, 0.9999)
MARGINS = 2
"""The margin of tails, in margins of means. With ten slower operations, a percentile of a round is known to about ten
per cent, and buckets are 0.8 % wide; tails that matter differ by multiples."""
SHARE_OF_LEVEL = 0.9
"""A tenth of the error is left for Welch's p, which is approximate: logarithms of tails are skewed."""
_LEAST_LATENCY = 1e-9  # seconds: tails have logarithms, and tools count in ns
_ANY_NUMBER = 2**31  # of rounds
_AT_ONCE = 500  # distributions: their buckets take some megabytes
_MOST_KEPT = 20_000
# Operations and percentiles by the digest of a distribution. Decoding would take more than half of the time of a large
# table, which is often viewed again. Some 6 MB for each process; threads at worst decode one twice.
_kept: dict[bytes, tuple[int, list[float]]] = {}


@dataclass(frozen=True, slots=True)
class ResultTails:
    """The tails of the K rounds of a result.

    `least` is the smallest number of operations of a round; `latency` (K, S) has the percentile of each of
    `TAIL_SHARES` in seconds, NaN for a round without a distribution.
    """

    least: int
    latency: FloatArray


def tails_of(results: Sequence[Sequence[bytes | None]], shares: Sequence[float] = TAIL_SHARES) -> list[ResultTails]:
    """The tails of results, each given by the distributions of its rounds. Raises FaultyHistogram.

    A result needs at least one distribution. With other `shares`, these are in place of `TAIL_SHARES`.
    """
    packed = [each for each in chain.from_iterable(results) if each is not None]
    totals, latency = _of_kept_rounds(packed) if shares is TAIL_SHARES else _of_all_rounds(packed, shares)
    tails, at = [], 0
    for rounds in results:
        measured = np.array([each is not None for each in rounds])
        of_result = slice(at, at := at + int(measured.sum()))
        of_rounds = np.full((len(rounds), len(shares)), np.nan)
        of_rounds[measured] = latency[of_result]
        tails.append(ResultTails(int(totals[of_result].min()), of_rounds))
    return tails


def _of_kept_rounds(packed: Sequence[bytes]) -> tuple[IntArray, FloatArray]:
    """As `_of_all_rounds` with `TAIL_SHARES`; decodes only distributions whose figures are not kept."""
    digests = [blake2b(each, digest_size=16).digest() for each in packed]
    known = {digest: found for digest in digests if (found := _kept.get(digest)) is not None}
    if new := {digest: each for digest, each in zip(digests, packed, strict=True) if digest not in known}:
        totals, latency = _of_all_rounds([*new.values()], TAIL_SHARES)
        found_now = dict(zip(new, zip(totals.tolist(), latency.tolist(), strict=True), strict=True))
        if len(_kept) + len(found_now) > _MOST_KEPT:
            _kept.clear()
        _kept.update(found_now)
        known |= found_now
    figures = [known[digest] for digest in digests]
    return np.array([total for total, _ in figures]), np.array([latency for _, latency in figures])


def _of_all_rounds(packed: Sequence[bytes], shares: Sequence[float]) -> tuple[IntArray, FloatArray]:
    """The operations (H,) of these distributions, and their percentiles (H, S) in seconds."""
    parts = [_of_rounds(packed[i : i + _AT_ONCE], shares) for i in range(0, len(packed), _AT_ONCE)]
    totals, latency = (np.concatenate(column) for column in zip(*parts, strict=True))
    return totals, latency


def _of_rounds(packed: Sequence[bytes], shares: Sequence[float]) -> tuple[IntArray, FloatArray]:
    """The operations (H,) of these distributions, and their percentiles (H, S) in seconds."""
    buckets = decoded(packed)
    cumulative = np.cumsum(buckets.count)
    totals = np.bincount(buckets.owner, buckets.count, len(packed)).astype(np.int64)
    before = np.cumsum(totals) - totals
    # As in percentiles.py: 0.9999 is no binary fraction.
    ranks = np.ceil(totals[:, np.newaxis] * np.array(shares) * (1 - 1e-12)).astype(np.int64)
    found = np.searchsorted(cumulative, before[:, np.newaxis] + ranks)
    return totals, np.maximum(buckets.latency[found] / 1e9, _LEAST_LATENCY)


def common_share(results: Iterable[ResultTails]) -> int | None:
    """The index of the highest share that every round of these results shows; None if there is none."""
    shown = shown_shares(min(each.least for each in results), TAIL_SHARES)
    return len(shown) - 1 if shown else None


def tail_values(results: Sequence[ResultTails], share: int) -> FloatArray:
    """The sample of a cell (K,): of one result its rounds, of several results their geometric means over rounds."""
    if len(results) == 1:
        return results[0].latency[:, share]
    return np.array([np.exp(np.nanmean(np.log(each.latency[:, share]))) for each in results])


def compare_tails(
    cells: Cells,
    baseline: Cells,
    *,
    margin: float = MARGIN,
    level: float = LEVEL,
    correction: Correction = Correction.BENJAMINI_HOCHBERG,
) -> Comparisons:
    """Compare the `tail_values` of cells with those of the baselines at the same index, as one family.

    `margin` is that of means. Tails of rounds often have two levels, such as rounds with and without a disturbance, so
    any number of rounds is few: a difference must also be large beside the usual spread of tails in the table.
    """
    return compare(
        cells,
        baseline,
        higher_is_better=False,
        margin=MARGINS * margin,
        level=SHARE_OF_LEVEL * level,
        correction=correction,
        checked=False,
        few=_ANY_NUMBER,
        stalls=True,
    )
