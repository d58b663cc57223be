"""`benchagent status`: what lies in the spool."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from datetime import datetime, timezone
from typing import Any

from benchagent.errors import UnknownRun
from benchagent.progress import CONTROL, counted
from benchagent.spool.campaigns import Campaigns
from benchagent.spool.store import PENDING, REJECTED, SENT, STATES, Spool
from benchagent.toml.quantities import format_duration, format_size

from . import options

SCHEMA = "benchagent.status/1"
TITLES = {PENDING: "to be sent", REJECTED: "refused by the server", SENT: "sent"}


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "status",
        help="list what lies in the spool",
        description="List the runs that wait to be sent and those that the server refused, with its reason; count "
        "those that were sent.",
    )
    parser.add_argument("--all", action="store_true", help="list those that were sent too")
    options.add_spool(parser)
    options.add_json(parser, "the whole list for programs")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    spool = options.open_spool(args)
    listed = STATES if args.all or args.json else (PENDING, REJECTED)
    runs = [found for state in listed for run_id in spool.ids(state) for found in entries(spool, state, run_id)]
    counts = {state: len(spool.ids(state)) for state in STATES}
    campaigns = Campaigns(spool.directory).waiting()
    attempt = spool.last_attempt() or None
    if args.json:
        told = {"schema": SCHEMA, "spool": str(spool.directory), "counts": counts, "campaigns": campaigns}
        print(json.dumps({**told, "last_attempt": attempt, "runs": runs}, indent=2, ensure_ascii=False))
        return 0
    print(f"Spool {spool.directory}")
    for state in STATES:
        print(f"{counts[state]} {TITLES[state]}{_hint(state, state in listed, counts[state])}")
        for found in runs:
            if found["state"] == state:
                print(_line(found))
    if campaigns:
        print(f"{counted(campaigns, 'campaign document')} to be sent")
    if attempt and counts[PENDING]:
        print(f"The last attempt, {_ago(attempt.get('at'))}: {attempt.get('why')}")
    return 0


def entries(spool: Spool, state: str, run_id: str) -> Iterator[dict[str, Any]]:
    """One document in short, with the server's answer where there is one; nothing where an upload moved it by now."""
    try:
        data = spool.read(state, run_id)
        kept = spool.path(state, run_id).stat().st_mtime
    except (UnknownRun, FileNotFoundError):
        return
    yield {
        "run_id": run_id,
        "state": state,
        **_facts(data),
        "bytes": len(data),
        "age_seconds": max(0, round(time.time() - kept)),
        "error": _error(spool, run_id) if state == PENDING else None,
        "answer": spool.answer(state, run_id) or None,
    }


def _facts(data: bytes) -> dict[str, Any]:
    """What the document says of itself; null where somebody damaged it."""
    try:
        document = json.loads(data)
        return {
            "point": document.get("campaign", {}).get("point"),
            "tool": document["workload"]["tool"],
            "started_at": document["started_at"],
            "rounds": len(document["rounds"]),
        }
    except (ValueError, AttributeError, KeyError, TypeError):
        return {"point": None, "tool": None, "started_at": None, "rounds": None}


def _error(spool: Spool, run_id: str) -> str | None:
    """Why this one still waits, where it is the one that the last attempt ended with."""
    attempt = spool.last_attempt()
    return str(attempt.get("why")) if attempt.get("run_id") == run_id else None


def _hint(state: str, listed: bool, count: int) -> str:
    if state == SENT and count and not listed:
        return " (--all lists them)"
    return " (--rejected of `benchagent upload` sends them once more)" if state == REJECTED and count else ""


def _line(found: dict[str, Any]) -> str:
    body = (found["answer"] or {}).get("body", {})
    error = body.get("error")
    said = body.get("url") or (error.get("message") if isinstance(error, dict) else None) or ""
    what = found["point"] or found["tool"] or "damaged"
    parts = (found["run_id"], f"{what:<20}", f"{format_duration(found['age_seconds']):>9} old", _size(found["bytes"]))
    return CONTROL.sub("?", f"  {'  '.join(parts)}  {said}".rstrip())


def _ago(at: object) -> str:
    """How long ago a time of the attempt's note was."""
    try:
        then = datetime.fromisoformat(str(at))
    except ValueError:
        return "at an unknown time"
    return f"{format_duration(max(0.0, (datetime.now(timezone.utc) - then).total_seconds()))} ago"


def _size(size: int) -> str:
    """Whole KiB are exact enough here."""
    return format_size(max(1, round(size / 1024)) * 1024)
