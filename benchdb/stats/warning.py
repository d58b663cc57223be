"""Warnings as data: a code and its numbers, stored with the figures that they concern."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from .arrays import BoolArray

PlainNumber = int | float
Numbers = Mapping[str, PlainNumber | tuple[int, ...]]


class WarningCode(StrEnum):
    """Every warning of this package; docs/statistics.md explains them, `sentences.py` has their texts."""

    # About one result.
    NO_VALUES = "no_values"
    ONE_VALUE = "one_value"
    N_UNKNOWN = "n_unknown"
    MISSING_ROUNDS = "missing_rounds"
    OUT_OF_RANGE = "out_of_range"
    ZERO_VARIANCE = "zero_variance"
    OUTLIERS = "outliers"
    WARM_UP = "warm_up"
    DRIFT = "drift"
    AUTOCORRELATED = "autocorrelated"
    MULTIMODAL = "multimodal"
    # About a comparison of two.
    WITHIN_ONE_RUN = "within_one_run"
    MOMENTS_ONLY = "moments_only"
    NOT_ALL_POSITIVE = "not_all_positive"
    RANKS_DISAGREE = "ranks_disagree"
    # About the runs of a comparison.
    FIXED_ORDER = "fixed_order"
    POSITION = "position"


@dataclass(frozen=True, slots=True)
class StatisticsWarning:
    """`numbers` holds plain Python numbers and tuples of round indices (counted from 0) only."""

    code: WarningCode
    numbers: Numbers = field(default_factory=dict)

    def as_dict(self) -> dict[str, object]:
        """For JSON: {"code": …, "numbers": {…}}."""
        numbers = {name: list(value) if isinstance(value, tuple) else value for name, value in self.numbers.items()}
        return {"code": self.code.value, "numbers": numbers}

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> StatisticsWarning:
        """The inverse of `as_dict`, for a stored warning. ValueError for an unknown code."""
        stored = data["numbers"]
        assert isinstance(stored, dict)
        numbers = {name: tuple(value) if isinstance(value, list) else value for name, value in stored.items()}
        return cls(WarningCode(str(data["code"])), numbers)


class WarningList:
    """Collects the warnings of R rows; most rows have none, so only flagged rows are visited."""

    def __init__(self, rows: int) -> None:
        self._rows: list[tuple[StatisticsWarning, ...]] = [()] * rows

    def add(self, code: WarningCode, where: BoolArray, numbers: Callable[[int], Numbers] | None = None) -> None:
        """Add a warning `code` with `numbers(row)` to every row with a true flag in `where`."""
        plain = StatisticsWarning(code)
        for row in where.nonzero()[0].tolist():
            self._rows[row] += (StatisticsWarning(code, numbers(row)) if numbers else plain,)

    def done(self) -> tuple[tuple[StatisticsWarning, ...], ...]:
        return tuple(self._rows)
