"""The table of a run's rounds: time, position, status and evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from benchdb.facts.stored import StoredEvidence, StoredRound
from benchdb.runs.models import Run
from benchdb.wording.numbers import say_duration, say_number
from benchdb.wording.sizes import say_size
from benchdb.wording.words import cut, params_in_words

MOST_ROUNDS = 1_000  # listed on a page
MOST_MESSAGES = 1_000  # of the kernel, listed on a page
LONGEST_MESSAGE = 2_000  # characters
LONGEST_ERROR = 300  # characters


class EvidenceColumn(NamedTuple):
    """A column of evidence with its head; `value` is None if the round has none."""

    head: str
    value: Callable[[StoredEvidence], float | None]
    say: Callable[[float], str]


def _say_count(count: float) -> str:
    return say_number(count, 0)


# Shown if any round has a value.
COLUMNS = (
    EvidenceColumn("device read", lambda evidence: evidence.get("device_read_bytes"), say_size),
    EvidenceColumn("device written", lambda evidence: evidence.get("device_write_bytes"), say_size),
    EvidenceColumn("asked for", lambda evidence: evidence.get("logical_bytes"), say_size),
    EvidenceColumn("user time", lambda evidence: evidence.get("user_seconds"), say_duration),
    EvidenceColumn("system time", lambda evidence: evidence.get("system_seconds"), say_duration),
    EvidenceColumn("waits", lambda evidence: evidence.get("voluntary_context_switches"), _say_count),
    EvidenceColumn("preemptions", lambda evidence: evidence.get("involuntary_context_switches"), _say_count),
)


def rounds_table(run: Run) -> dict[str, object]:
    """The rounds of a run with their evidence."""
    rounds: list[StoredRound] = run.rounds
    evidence: list[StoredEvidence] = [round_.get("evidence") or {} for round_ in rounds]
    columns = [column for column in COLUMNS if any(column.value(of_round) is not None for of_round in evidence)]
    rows = [
        _row(number, round_, of_round, columns)
        for number, (round_, of_round) in enumerate(zip(rounds[:MOST_ROUNDS], evidence, strict=False), start=1)
    ]
    heads, more = [column.head for column in columns], max(0, len(rounds) - MOST_ROUNDS)
    is_cut = any(len(round_.get("error") or "") > LONGEST_ERROR for round_ in rounds)
    # The context of runs/rounds.html; `noise` tells whether a row has any, `more` is the number of omitted rounds.
    return {"heads": heads, "rows": rows, "noise": any(row["noise"] for row in rows), "more": more, "is_cut": is_cut}


def _row(
    number: int, round_: StoredRound, evidence: StoredEvidence, columns: Sequence[EvidenceColumn]
) -> dict[str, object]:
    noise = evidence.get("noise") or {}
    values = [(column, column.value(evidence)) for column in columns]
    # A round in runs/rounds.html, counted from 1; `cells` are empty without evidence, `noise` is in words.
    return {
        "number": number,
        "started_at": datetime.fromisoformat(round_["started_at"]),
        "position": round_["position"] + 1,
        "status": round_["status"],
        "error": cut(round_.get("error") or "", LONGEST_ERROR),
        "cells": ["" if value is None else column.say(value) for column, value in values],
        "noise": ", ".join(params_in_words({key: value for key, value in noise.items() if value})),
    }


def kernel_messages(run: Run) -> list[dict[str, object]]:
    """The rounds with kernel messages; only the first `MOST_MESSAGES` messages."""
    stored: list[StoredRound] = run.rounds
    rounds, left = [], MOST_MESSAGES
    for number, round_ in enumerate(stored, start=1):
        messages = ((round_.get("evidence") or {}).get("kernel_messages") or [])[:left]
        left -= len(messages)
        if messages:
            rounds.append({"number": number, "messages": [message[:LONGEST_MESSAGE] for message in messages]})
    return rounds
