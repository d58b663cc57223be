"""The distributions of a result as files: percentiles as CSV, and the two texts of HdrHistogram."""

from __future__ import annotations

import csv
import io
import zlib
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from benchdb.stats.distributions.percentiles import distribution_of, percentiles

from .reading import PackedRounds

SHARES = (0.0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999, 1.0)
_HALVINGS = 5  # points for each halving of the remaining share, as HdrHistogram prints them
_COMPRESSED = bytes.fromhex("1c849314")  # the cookie of the compressed encoding V2, which log files use
_MS = 1_000_000


@dataclass(frozen=True, slots=True)
class FileFormat:
    """A kind of file; `write` takes the distribution of each round, and the start of each round."""

    media_type: str
    label: str
    write: Callable[[PackedRounds, Sequence[datetime]], str]


def _csv(packed: PackedRounds, _started: Sequence[datetime]) -> str:
    """A line for each round and share: latency in seconds, operations of the round."""
    distribution = distribution_of(packed)
    of_rounds = percentiles(distribution.counts, distribution.latency, SHARES)
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["round", "share", "latency_s", "operations"])
    for round_, figures, operations in zip(distribution.rounds, of_rounds, distribution.operations, strict=True):
        figure_of = zip(SHARES, figures, strict=True)
        writer.writerows([round_ + 1, share, f"{figure:.9g}", operations] for share, figure in figure_of)
    return text.getvalue()


def _log(packed: PackedRounds, started: Sequence[datetime]) -> str:
    """HdrHistogram's log, version 1.3: a line for each round, tagged with its number; latencies in ns."""
    first = started[0].timestamp()
    lines = [
        "#[Histogram log format version 1.3]",
        f"#[StartTime: {first:.3f} (seconds since epoch)]",
        f"#[BaseTime: {first:.3f} (seconds since epoch)]",
        '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"',
    ]
    for number, (histogram, start) in enumerate(zip(packed, started, strict=True), start=1):
        if histogram is None:
            continue
        deflated = zlib.compress(histogram)
        text = b64encode(_COMPRESSED + len(deflated).to_bytes(4, "big") + deflated).decode()
        greatest = distribution_of([histogram]).latency[-1] * 1e9 / _MS
        lines.append(f"Tag=round-{number},{start.timestamp() - first:.3f},0.000,{greatest:.3f},{text}")
    return "\n".join([*lines, ""])


def _percentiles(packed: PackedRounds, _started: Sequence[datetime]) -> str:
    """HdrHistogram's text of percentiles of all rounds together, in ms: what its plotter reads."""
    distribution = distribution_of(packed)
    whole = distribution.counts.sum(axis=0, keepdims=True)
    total = int(whole.sum())
    shares = [1 - 0.5 ** (step / _HALVINGS) for step in range(_HALVINGS * (total.bit_length() + 1))] + [1.0]
    figures = percentiles(whole, distribution.latency, shares)[0]
    reached = np.cumsum(whole[0])[np.searchsorted(distribution.latency, figures)]
    lines = [f"{'Value':>12} {'Percentile':>14} {'TotalCount':>10} {'1/(1-Percentile)':>14}", ""]
    for share, figure, count in zip(shares, figures * 1e9 / _MS, reached, strict=True):
        inverse = f" {1 / (1 - share):14.2f}" if share < 1 else ""
        lines.append(f"{figure:12.3f} {share:2.12f} {count:10d}{inverse}")
    mean = float(whole[0] @ distribution.latency) / total
    sd = float(whole[0] @ (distribution.latency - mean) ** 2 / total) ** 0.5
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
