"""Checks the distributions of latencies in the results of a document."""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from benchagent.formats.packing.histogram import LONGEST, WITH_HISTOGRAM
from benchdb.runs.store.result_arrays import PackedHistograms
from benchdb.stats.distributions.decoding import FaultyHistogram, decoded

from .arrays import FloatArray
from .columns import SentResults
from .faults import MOST_LISTED, Fault

MOST_BYTES = 32 * 1024 * 1024  # of all distributions of a document
_AT_ONCE = 1024 * 1024  # bytes that are decoded at once
Place = tuple[int, int]  # the result and the round


def check_histograms(sent: SentResults, values: FloatArray) -> tuple[list[PackedHistograms], list[Fault]]:
    """The distributions of each result as bytes, and the faults; `values` (V,) are NaN where a round has no value."""
    faults: list[Fault] = []
    packed: list[PackedHistograms] = [None] * len(sent)
    for i, entry in enumerate(sent.columns["histograms"]):
        if isinstance(entry, list) and len(faults) <= MOST_LISTED:
            found = list(_of_result(sent, i, entry, values, faults))
            packed[i] = found if any(found) else None
    if not faults:
        faults += islice(_faulty_bytes(sent, packed), MOST_LISTED + 1)
    return packed, faults


def _of_result(
    sent: SentResults, i: int, entry: Sequence[object], values: FloatArray, faults: list[Fault]
) -> Iterator[bytes | None]:
    """The distributions of a result; appends its faults."""
    of_result = values[sent.offsets[i] : sent.offsets[i + 1]]
    if sent.columns["metric"][i] != WITH_HISTOGRAM:
        faults.append(Fault(sent.pointer("histograms", i), None, f"null unless the metric is {WITH_HISTOGRAM}"))
        return
    if len(entry) != len(of_result):
        expected = f"{len(of_result)} distributions, one a value (null where a round has none), not {len(entry)}"
        faults.append(Fault(sent.pointer("histograms", i), None, expected))
        return
    for round_, (text, without_value) in enumerate(zip(entry, np.isnan(of_result).tolist(), strict=True)):
        packed = None if text is None else _bytes_of(text)
        if text is not None and packed is None:
            expected = f"base64 text of at most {LONGEST:,} characters, or null"
            faults.append(Fault(sent.pointer("histograms", i, round_), None, expected))
        elif text is not None and without_value:
            faults.append(Fault(sent.pointer("histograms", i, round_), None, "null where the round has no value"))
        yield packed


def _bytes_of(text: object) -> bytes | None:
    if not isinstance(text, str) or not 0 < len(text) <= LONGEST:
        return None
    try:
        return b64decode(text.encode("ascii"), validate=True)
    except (UnicodeEncodeError, binascii.Error):
        return None


def _faulty_bytes(sent: SentResults, packed: Sequence[PackedHistograms]) -> Iterator[Fault]:
    """The first faulty distribution of each part, decoded in parts so that memory stays bounded."""
    places: list[Place] = []
    part: list[bytes] = []
    size = total = 0
    for i, of_result in enumerate(packed):
        for round_, histogram in enumerate(of_result or ()):
            if histogram is None:
                continue
            places.append((i, round_))
            part.append(histogram)
            size, total = size + len(histogram), total + len(histogram)
            if size >= _AT_ONCE:
                yield from _fault_of(sent, places, part)
                places, part, size = [], [], 0
    if total > MOST_BYTES:
        yield Fault("/results", None, f"distributions of at most {MOST_BYTES >> 20} MiB in all")
    elif part:
        yield from _fault_of(sent, places, part)


def _fault_of(sent: SentResults, places: Sequence[Place], part: Sequence[bytes]) -> Iterator[Fault]:
    """Every faulty distribution of a part: the rest is decoded again after each fault, as few are faulty."""
    start = 0
    while start < len(part):
        try:
            decoded(part[start:])
        except FaultyHistogram as error:
            i, round_ = places[start + error.index]
            yield Fault(sent.pointer("histograms", i, round_), None, error.expected)
            start += error.index + 1
        else:
            return
