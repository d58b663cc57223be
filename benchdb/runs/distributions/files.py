"""The distributions of a result as files: percentiles as CSV, and the two texts of HdrHistogram."""

from __future__ import annotations

import io
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from benchdb.stats.distributions.percentiles import (
    MOST_ROUNDS,
    Distribution,
    distribution_of,
    percentiles,
    with_histogram,
)
from benchdb.wording.formulas import write_csv

from .reading import PackedRounds

SHARES = (0.0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999, 1.0)
_HALVINGS = 5  # points for each halving of the remaining share, as HdrHistogram prints them
_COMPRESSED = bytes.fromhex("1c849314")  # the cookie of the compressed encoding V2, which log files use
_MS = 1_000_000


@dataclass(frozen=True, slots=True)
class FileFormat:
    """A kind of file; `write` takes the distribution of each round, the start of each round, and the test."""

    media_type: str
    label: str
    write: Callable[[PackedRounds, Sequence[datetime], str], str]


def _csv(packed: PackedRounds, _started: Sequence[datetime], _test: str) -> str:
    """A line for each round and share: latency in seconds, operations of the round."""
    text = io.StringIO()
    write_csv(text, [["round", "share", "latency_s", "operations"]])
    for distribution in _in_parts(packed):
        of_rounds = percentiles(distribution.counts, distribution.latency, SHARES)
        for round_, figures, operations in zip(distribution.rounds, of_rounds, distribution.operations, strict=True):
            figure_of = zip(SHARES, figures, strict=True)
            write_csv(text, ([round_ + 1, share, f"{figure:.9g}", operations] for share, figure in figure_of))
    return text.getvalue()


def _in_parts(packed: PackedRounds) -> Iterator[Distribution]:
    """The distributions of all rounds, of some of them at a time."""
    present = with_histogram(packed)
    for start in range(0, len(present), MOST_ROUNDS):
        yield distribution_of(packed, present[start : start + MOST_ROUNDS])


def _log(packed: PackedRounds, started: Sequence[datetime], test: str) -> str:
    """HdrHistogram's log, version 1.3: a line for each round, tagged with its number; latencies in ns."""
    first = started[0].timestamp()
    lines = [
        "#[Histogram log format version 1.3]",
        f"#[StartTime: {first:.3f} (seconds since epoch)]",
        f"#[BaseTime: {first:.3f} (seconds since epoch)]",
        "#[Unit: ns]",
        f"#[Test: {test}]",
        '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"',
    ]
    for distribution in _in_parts(packed):
        greatest = percentiles(distribution.counts, distribution.latency, [1.0])[:, 0] * 1e9 / _MS
        for round_, figure in zip(distribution.rounds.tolist(), greatest.tolist(), strict=True):
            deflated = zlib.compress(packed[round_] or b"")
            text = b64encode(_COMPRESSED + len(deflated).to_bytes(4, "big") + deflated).decode()
            lines.append(f"Tag=round-{round_ + 1},{started[round_].timestamp() - first:.3f},0.000,{figure:.3f},{text}")
    return "\n".join([*lines, ""])


def _percentiles(packed: PackedRounds, _started: Sequence[datetime], _test: str) -> str:
    """HdrHistogram's text of percentiles of all rounds together, in ms: what its plotter reads."""
    parts = list(_in_parts(packed))
    latency, column = np.unique(np.concatenate([part.latency for part in parts]), return_inverse=True)
    of_parts = np.concatenate([part.counts.sum(axis=0) for part in parts])
    whole = np.zeros((1, len(latency)), dtype=np.int64)
    np.add.at(whole[0], column, of_parts)
    total = int(whole.sum())
    shares = [1 - 0.5 ** (step / _HALVINGS) for step in range(_HALVINGS * (total.bit_length() + 1))] + [1.0]
    figures = percentiles(whole, latency, shares)[0]
    reached = np.cumsum(whole[0])[np.searchsorted(latency, figures)]
    lines = [f"{'Value':>12} {'Percentile':>14} {'TotalCount':>10} {'1/(1-Percentile)':>14}", ""]
    for share, figure, count in zip(shares, figures * 1e9 / _MS, reached, strict=True):
        inverse = f" {1 / (1 - share):14.2f}" if share < 1 else ""
        lines.append(f"{figure:12.3f} {share:2.12f} {count:10d}{inverse}")
    mean = float(whole[0] @ latency) / total
    sd = float(whole[0] @ (latency - mean) ** 2 / total) ** 0.5
    lines += [
        f"#[Mean    = {mean * 1e9 / _MS:12.3f}, StdDeviation   = {sd * 1e9 / _MS:12.3f}]",
        f"#[Max     = {figures[-1] * 1e9 / _MS:12.3f}, Total count    = {total:12d}]",
    ]
    return "\n".join([*lines, ""])


FILES: Mapping[str, FileFormat] = {
    "csv": FileFormat("text/csv", "CSV", _csv),
    "hgrm": FileFormat("text/plain", "percentiles for HdrHistogram's plotter", _percentiles),
    "hlog": FileFormat("text/plain", "HdrHistogram's log", _log),
}
