"""Warnings as plain data with their sentence, so that what shows them later, a frozen table too, computes nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from benchdb.stats import StatisticsWarning, WarningCode, warning_sentence

ROUND = re.compile(r"\bround(s?)\b")


def said(warning: StatisticsWarning) -> dict[str, Any]:
    """`{code, numbers, text}`."""
    if not warning.numbers:
        return dict(_said_of(warning.code))
    return {**warning.as_dict(), "text": warning_sentence(warning)}


@cache
def _said_of(code: WarningCode) -> dict[str, Any]:
    """One without numbers, of which a table may have one a cell."""
    warning = StatisticsWarning(code)
    return {**warning.as_dict(), "text": warning_sentence(warning)}


def said_of_runs(warning: StatisticsWarning) -> dict[str, Any]:
    """The same where the values are the means of runs: what the sentence calls a round is a run there."""
    return {**warning.as_dict(), "text": ROUND.sub(r"run\1", warning_sentence(warning))}


def stored(warning: Mapping[str, Any]) -> dict[str, Any]:
    """A warning that was stored with a summary of the current statistics version."""
    return said(StatisticsWarning.from_dict(warning))
