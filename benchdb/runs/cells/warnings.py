"""Warnings of the statistics with their sentence, so that pages and frozen tables need not compute it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from benchdb.stats import StatisticsWarning, WarningCode, warning_sentence

from .verdict import CellWarning

ROUND = re.compile(r"\bround(s?)\b")


def with_sentence(warning: StatisticsWarning) -> CellWarning:
    """The warning of a result."""
    return _of(warning, warning_sentence(warning)) if warning.numbers else _plain(warning.code)


@cache
def _plain(code: WarningCode) -> CellWarning:
    """A warning without numbers, cached because every cell of a table may have one."""
    warning = StatisticsWarning(code)
    return _of(warning, warning_sentence(warning))


def with_sentence_about_runs(warning: StatisticsWarning) -> CellWarning:
    """A warning about the means of runs: its sentence speaks of runs instead of rounds."""
    return _of(warning, ROUND.sub(r"run\1", warning_sentence(warning)))


def _of(warning: StatisticsWarning, text: str) -> CellWarning:
    numbers = {name: list(value) if isinstance(value, tuple) else value for name, value in warning.numbers.items()}
    return CellWarning(warning.code.value, {**numbers}, text)


def stored_warning(warning: Mapping[str, object]) -> CellWarning:
    """A warning that was stored with a summary of the current statistics version."""
    return with_sentence(StatisticsWarning.from_dict(warning))
