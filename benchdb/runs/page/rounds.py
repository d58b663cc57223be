"""The table of a run's rounds: time, position, status and evidence."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from benchdb.runs.models import Run
from benchdb.wording.numbers import say_duration, say_number
from benchdb.wording.sizes import say_size
from benchdb.wording.words import params_in_words

RoundRow = dict[str, Any]

MOST_ROUNDS = 1_000  # listed on a page
MOST_MESSAGES = 1_000  # of the kernel, listed on a page
LONGEST_MESSAGE = 2_000  # characters

# The columns of evidence, shown if any round has a value: heads and formats.
COLUMNS = {
    "device_read_bytes": ("device read", say_size),
    "device_write_bytes": ("device written", say_size),
    "logical_bytes": ("asked for", say_size),
    "user_seconds": ("user time", say_duration),
    "system_seconds": ("system time", say_duration),
    "voluntary_context_switches": ("waits", lambda number: say_number(number, 0)),
    "involuntary_context_switches": ("preemptions", lambda number: say_number(number, 0)),
}


def rounds_table(run: Run) -> dict[str, Any]:
    """`{heads, rows, noise, more}`: a row is `{number, started_at, position, status, error, cells, noise}`.

    `more` is the number of omitted rounds.
    """
    evidence = [round_.get("evidence") or {} for round_ in run.rounds]
    present = [name for name in COLUMNS if any(of_round.get(name) is not None for of_round in evidence)]
    rows = [
        _row(number, round_, of_round, present)
        for number, (round_, of_round) in enumerate(zip(run.rounds[:MOST_ROUNDS], evidence, strict=False), start=1)
    ]
    heads, more = [COLUMNS[name][0] for name in present], max(0, len(run.rounds) - MOST_ROUNDS)
    return {"heads": heads, "rows": rows, "noise": any(row["noise"] for row in rows), "more": more}


def _row(number: int, round_: Mapping[str, Any], evidence: Mapping[str, Any], present: list[str]) -> RoundRow:
    noise = evidence.get("noise") or {}
    return {
        "number": number,
        "started_at": datetime.fromisoformat(round_["started_at"]),
        "position": round_["position"] + 1,
        "status": round_["status"],
        "error": round_.get("error"),
        "cells": ["" if evidence.get(name) is None else COLUMNS[name][1](evidence[name]) for name in present],
        "noise": ", ".join(params_in_words({key: value for key, value in noise.items() if value})),  # 0 is none
    }


def kernel_messages(run: Run) -> list[dict[str, Any]]:
    """`[{number, messages}]` of the rounds with kernel messages; only the first `MOST_MESSAGES` messages."""
    rounds, left = [], MOST_MESSAGES
    for number, round_ in enumerate(run.rounds, start=1):
        messages = ((round_.get("evidence") or {}).get("kernel_messages") or [])[:left]
        left -= len(messages)
        if messages:
            rounds.append({"number": number, "messages": [message[:LONGEST_MESSAGE] for message in messages]})
    return rounds
