"""The recorded runs: measurements of another machine and day (tools/record_demo.py), stored as an agent stores them."""

from __future__ import annotations

import json
import lzma
from functools import cache
from pathlib import Path
from typing import Any

from .http import Unexpected, get, put

RECORDED = Path(__file__).parent / "recorded"
CACHE, OPTION, TAILS = NAMES = ("page-cache", "mount-option", "tails")


@cache
def lines(name: str) -> list[bytes]:
    """The documents of a recording, byte for byte as an agent would send them: runs, their campaign, and its end."""
    with lzma.open(RECORDED / f"{name}.jsonl.xz") as file:
        return file.read().splitlines()


def runs_of(name: str) -> list[dict[str, Any]]:
    """The documents of the runs, in the order in which they were measured."""
    documents = [document for line in lines(name) if "run_id" in (document := json.loads(line))]
    return sorted(documents, key=lambda document: str(document["started_at"]))


def ids_of(name: str, tool: str = "") -> list[str]:
    """The ids of the runs, or of those of a tool, in this order."""
    return [run["run_id"] for run in runs_of(name) if tool in ("", run["workload"]["tool"])]


def campaign_of(name: str) -> str:
    """The id of the campaign."""
    return str(json.loads(lines(name)[-1])["campaign_id"])


def day() -> str:
    """The day of the recordings, as their labels and the name of their machine have it."""
    return str(runs_of(OPTION)[0]["labels"]["recorded"])


def store(name: str, address: str, token: str) -> None:
    """Store a recording, unless the server has it. Raises Unexpected."""
    try:
        get(f"{address}/campaigns/{campaign_of(name)}/")
    except Unexpected:
        for line in lines(name):
            document = json.loads(line)
            kind, key = ("runs", "run_id") if "run_id" in document else ("campaigns", "campaign_id")
            put(f"{address}/api/v1/{kind}/{document[key]}", token, line)
