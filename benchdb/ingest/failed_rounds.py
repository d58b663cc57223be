"""Which rounds count when a run's raw output is read again; formats/rounds.py puts them side by side as the agent does.

A round that failed gives no values, not even those its tool printed before it failed, except where only the parser of
its day could not read it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchagent.formats import rounds as formats_rounds
from benchagent.formats.model import FAILED
from benchagent.formats.rounds import Reading, Row

# How the agent begins the reason of a round whose tool succeeded.
UNREAD = ("its output could not be read", "its output is not complete", "its output holds no results")


def failed_rounds(readings: Sequence[Reading], rounds: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """The rounds whose output counts for nothing, with the reason."""
    torn = {each.round for each in readings if not each.parsed.complete or not each.parsed.results}
    whole = {each.round for each in readings} - torn
    failed = {index: round_.get("error") or "" for index, round_ in enumerate(rounds) if round_["status"] == FAILED}
    counts = {index: error for index, error in failed.items() if not (error.startswith(UNREAD) and index in whole)}
    return {index: error or "the round failed" for index, error in counts.items()}


def merged(readings: Sequence[Reading], rounds: Sequence[Mapping[str, Any]]) -> list[Row]:
    """The results of all readings, `readings` in the order of their rounds; `rounds` as the document has them."""
    return formats_rounds.merged(readings, len(rounds), failed_rounds(readings, rounds))
