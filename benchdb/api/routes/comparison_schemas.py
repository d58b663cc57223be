"""The answers of `/api/v1/comparisons`."""

from __future__ import annotations

from uuid import UUID

from ninja import Schema
from pydantic import ConfigDict


class ComparisonOut(Schema):
    """A content as `.json` has it: its other fields are those of its schema, such as `benchdb.table/3`."""

    model_config = ConfigDict(extra="allow")

    address: str
    frozen: bool
    title: str
    subtitle: str
    query: str
    runs: list[UUID]


class QuantityOut(Schema):
    """A quantity of the machine on both sides: means in `unit` divided by `per`, and rival ÷ baseline."""

    quantity: str
    rank: int | None
    unit: str
    per: str
    baseline_mean: float
    rival_mean: float
    ratio: float | None
    low: float | None
    high: float | None
    p: float
    p_adjusted: float


class RivalQuantitiesOut(Schema):
    """A rival, and its tested quantities: first those that changed, the most certain change first."""

    label: str
    runs: list[UUID]
    different: bool
    quantities: list[QuantityOut]


class GoesWithOut(Schema):
    """What changed on the machine with the differences of one cell and its rivals."""

    address: str
    baseline: str
    rivals: list[RivalQuantitiesOut]


class PercentileOut(Schema):
    """A percentile of all rounds together, in seconds, with its 95 % interval; null with too few rounds."""

    percentile: float
    latency: float
    low: float | None
    high: float | None


class RivalPercentilesOut(Schema):
    """The distribution of latencies behind a cell."""

    label: str
    runs: list[UUID]
    round_count: int
    operations: int
    percentiles: list[PercentileOut]


class ComparedLatenciesOut(Schema):
    """The distributions of latencies behind one cell and its rivals, the baseline first."""

    address: str
    rivals: list[RivalPercentilesOut]
