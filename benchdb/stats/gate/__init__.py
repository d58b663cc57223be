"""Verdicts of a gate: two sides, measured in the same rounds, compared at planned looks. For `benchdb.api`."""

from __future__ import annotations

from .verdicts import LEVEL, GateVerdict, PairedRounds, judge, least_rounds

__all__ = ["LEVEL", "GateVerdict", "PairedRounds", "judge", "least_rounds"]
