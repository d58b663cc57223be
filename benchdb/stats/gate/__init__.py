"""Verdicts of a gate: two sides, measured in the same rounds, compared at planned looks. For `benchdb.api`."""

from __future__ import annotations

from .mean_difference import DifferenceChange
from .verdicts import LEVEL, GateVerdict, PairedRounds, Undecided, judge, least_rounds

__all__ = ["LEVEL", "DifferenceChange", "GateVerdict", "PairedRounds", "Undecided", "judge", "least_rounds"]
