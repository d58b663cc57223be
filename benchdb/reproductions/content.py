"""The JSON of a reproduction: each conclusion of the original campaign, and each figure if the hardware is alike."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from typing import TypedDict, cast


class StoredRatio(TypedDict):
    """A ratio with its 95 % interval; None if unknown."""

    ratio: float | None
    low: float | None
    high: float | None


class StoredQuantityPlace(TypedDict):
    """The quantity: `target` and `workload` are names of the plan, sizes are bytes."""

    target: str
    workload: str
    test: str
    metric: str
    file_size: int | None
    record_size: int | None
    threads: int | None
    params: dict[str, object]


class StoredConclusion(StoredQuantityPlace):
    """A verdict of the original on a target against the `baseline` target, and that of the repetition.

    `original` and `repetition` are ratios to the baseline, `change` is the second ÷ the first. `reason` is the
    code for which the repetition could not be tested.
    """

    baseline: str
    verdict: str
    verdict_again: str
    original: StoredRatio
    repetition: StoredRatio
    change: StoredRatio
    answer: str
    reason: str | None


class StoredFigure(StoredQuantityPlace):
    """A figure of the repetition ÷ that of the original."""

    change: StoredRatio
    answer: str
    reason: str | None


class StoredDifference(TypedDict):
    """A severe difference between the machines or how they measured, by the guard."""

    fact: str
    label: str
    original: str
    repetition: str


class StoredReproduction(TypedDict):
    """`points` is their number, 0 for a pair with too many results to be compared.

    `figures` is empty unless `alike`, where the guard found no severe difference.
    """

    schema: str
    statistics_version: int
    margin: float
    points: int
    alike: bool
    differences: Sequence[StoredDifference]
    conclusions: Sequence[StoredConclusion]
    figures: Sequence[StoredFigure]


SCHEMA = "benchdb.reproduction/1"


def packed(content: StoredReproduction) -> bytes:
    """For the database: a campaign has up to 24 pairs, which count in no quota.

    A conclusion takes about 100 bytes, a figure 40; PostgreSQL's own compression leaves six times as much.
    """
    return zlib.compress(json.dumps(content, separators=(",", ":")).encode())


def unpacked(stored: bytes | memoryview) -> StoredReproduction:
    """The content of `packed`."""
    return cast("StoredReproduction", json.loads(zlib.decompress(stored)))
