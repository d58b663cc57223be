"""`benchagent status`: what lies in the spool."""

from __future__ import annotations

import argparse
import json
from typing import Any

from benchagent.quantities import format_size
from benchagent.spool import PENDING, REJECTED, SENT, STATES, Spool

from . import options

SCHEMA = "benchagent.status/1"


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "status", help="list what lies in the spool", description="List the runs in the spool by their state."
    )
    options.add_spool(parser)
    options.add_json(parser, "the list for programs")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    spool = options.open_spool(args)
    runs = [entry(spool, state, run_id) for state in STATES for run_id in spool.ids(state)]
    if args.json:
        listed = {"schema": SCHEMA, "spool": str(spool.directory), "runs": runs}
        print(json.dumps(listed, indent=2, ensure_ascii=False))
        return 0
    print(f"Spool {spool.directory}")
    for state, title in ((PENDING, "wait to be sent"), (REJECTED, "were refused by the server"), (SENT, "were sent")):
        those = [found for found in runs if found["state"] == state]
        print(f"{len(those)} {title}")
        for found in those:
            print(_line(found))
    return 0


def entry(spool: Spool, state: str, run_id: str) -> dict[str, Any]:
    """One document in short, with the server's answer where there is one."""
    data = spool.read(state, run_id)
    document = json.loads(data)
    return {
        "run_id": run_id,
        "state": state,
        "point": document.get("campaign", {}).get("point"),
        "tool": document["workload"]["tool"],
        "started_at": document["started_at"],
        "rounds": len(document["rounds"]),
        "bytes": len(data),
        "answer": spool.answer(state, run_id) or None,
    }


def _line(found: dict[str, Any]) -> str:
    body = (found["answer"] or {}).get("body", {})
    error = body.get("error")
    said = body.get("url") or (error.get("message") if isinstance(error, dict) else None) or ""
    parts = (found["run_id"], f"{found['point'] or found['tool']:<20}", found["started_at"][:16], _size(found["bytes"]))
    return f"  {'  '.join(parts)}  {said}".rstrip()


def _size(size: int) -> str:
    """Whole KiB are exact enough here."""
    return format_size(max(1, round(size / 1024)) * 1024)
