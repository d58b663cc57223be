"""Warnings as plain data with their sentence, so that pages and frozen tables need not compute it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from benchdb.stats import StatisticsWarning, WarningCode, warning_sentence

ROUND = re.compile(r"\bround(s?)\b")


def with_sentence(warning: StatisticsWarning) -> dict[str, Any]:
    """`{code, numbers, text}`."""
    if not warning.numbers:
        return dict(_plain(warning.code))
    return {**warning.as_dict(), "text": warning_sentence(warning)}


@cache
def _plain(code: WarningCode) -> dict[str, Any]:
    """A warning without numbers, cached because every cell of a table may have one."""
    warning = StatisticsWarning(code)
    return {**warning.as_dict(), "text": warning_sentence(warning)}


def with_sentence_about_runs(warning: StatisticsWarning) -> dict[str, Any]:
    """A warning about the means of runs: its sentence speaks of runs instead of rounds."""
    return {**warning.as_dict(), "text": ROUND.sub(r"run\1", warning_sentence(warning))}


def stored_warning(warning: Mapping[str, Any]) -> dict[str, Any]:
    """A warning that was stored with a summary of the current statistics version."""
    return with_sentence(StatisticsWarning.from_dict(warning))
