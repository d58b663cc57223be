"""The failed rounds of a run whose raw output is read again; formats/rounds.py merges the others, as in the agent.

A failed round has no values, not even those that its tool printed before the failure. The only exceptions are rounds
that failed because an older parser could not read their output.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchagent.formats import rounds as formats_rounds
from benchagent.formats.model import FAILED
from benchagent.formats.rounds import MergedResult, RoundOutput
from benchdb.facts.stored import StoredRound

# The beginnings of the agent's reasons for failed rounds with a successful tool.
UNREAD = ("its output could not be read", "its output is not complete", "its output holds no results")


def failed_rounds(readings: Sequence[RoundOutput], rounds: Sequence[StoredRound]) -> dict[int, str]:
    """The rounds whose output is ignored, with the reasons."""
    torn = {reading.round for reading in readings if not reading.parsed.complete or not reading.parsed.results}
    whole = {reading.round for reading in readings} - torn
    failed = {index: round_.get("error") or "" for index, round_ in enumerate(rounds) if round_["status"] == FAILED}
    counts = {index: error for index, error in failed.items() if not (error.startswith(UNREAD) and index in whole)}
    return {index: error or "the round failed" for index, error in counts.items()}


def merged(readings: Sequence[RoundOutput], rounds: Sequence[StoredRound]) -> list[MergedResult]:
    """The results of all readings, which are in the order of their rounds; `rounds` are those of the document."""
    return formats_rounds.merged(readings, len(rounds), failed_rounds(readings, rounds))
