"""`benchagent status`: lists the content of the spool."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from benchagent.errors import UnknownRun
from benchagent.progress import counted, json_text, one_line
from benchagent.spool.campaigns import Campaigns
from benchagent.spool.store import PENDING, REJECTED, SENT, STATES, Spool
from benchagent.toml.quantities import format_duration, format_size

from . import options

if TYPE_CHECKING:
    from benchagent.documents.shape import RunDocument
    from benchagent.server.answers import StoredAnswer

SCHEMA = "benchagent.status/1"
TITLES = {PENDING: "to be sent", REJECTED: "refused by the server", SENT: "sent"}


@dataclass(frozen=True)
class SpooledRun:
    """The summary of a document in the spool. The facts of a damaged document are None.

    `error` is why the document still waits, if the last attempt ended with it; `answer` the server's answer, if any.
    """

    run_id: str
    state: str
    point: str | None
    tool: str | None
    started_at: str | None
    rounds: int | None
    bytes: int
    age_seconds: int
    error: str | None
    answer: StoredAnswer | None


def declare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "List the runs that wait to be sent and those that the server refused, with its reason; count "
        "those that were sent."
    )
    parser.add_argument("--all", action="store_true", help="also list documents that were sent")
    options.add_spool(parser)
    options.add_json(parser, "print the list as JSON")


def run(args: argparse.Namespace) -> int:
    spool = options.open_spool(args)
    listed = STATES if args.all or args.json else (PENDING, REJECTED)
    runs = [entry for state in listed for run_id in spool.ids(state) for entry in entries(spool, state, run_id)]
    counts = {state: len(spool.ids(state)) for state in STATES}
    campaigns = Campaigns(spool.directory).waiting()
    attempt = spool.last_attempt() or None
    if args.json:
        summary = {"schema": SCHEMA, "spool": str(spool.directory), "counts": counts, "campaigns": campaigns}
        described = [asdict(entry) for entry in runs]
        print(json_text({**summary, "last_attempt": attempt, "runs": described}, indent=2))
        return 0
    print(f"Spool {spool.directory}")
    for state in STATES:
        print(f"{counts[state]} {TITLES[state]}{_hint(state, state in listed, counts[state])}")
        for entry in runs:
            if entry.state == state:
                print(_line(entry))
    if campaigns:
        print(f"{counted(campaigns, 'campaign document')} to be sent")
    if attempt and counts[PENDING]:
        print(one_line(f"The last attempt, {_ago(attempt.get('at'))}: {attempt.get('why')}"))
    return 0


def entries(spool: Spool, state: str, run_id: str) -> Iterator[SpooledRun]:
    """The summary of one document, with the server's answer if any; nothing if an upload has moved the document."""
    try:
        data = spool.read(state, run_id)
        stored_at = spool.path(state, run_id).stat().st_mtime
    except (UnknownRun, FileNotFoundError):
        return
    point, tool, started_at, rounds = _facts(data)
    yield SpooledRun(
        run_id=run_id,
        state=state,
        point=point,
        tool=tool,
        started_at=started_at,
        rounds=rounds,
        bytes=len(data),
        age_seconds=max(0, round(time.time() - stored_at)),
        error=_error(spool, run_id) if state == PENDING else None,
        answer=spool.answer(state, run_id) or None,
    )


def _facts(data: bytes) -> tuple[str | None, str | None, str | None, int | None]:
    """Point, tool, start and number of rounds of a document; None for each if the document is damaged."""
    try:
        document: RunDocument = json.loads(data)
        point, tool = document.get("campaign", {}).get("point"), document["workload"]["tool"]
        return point, tool, document["started_at"], len(document["rounds"])
    except (ValueError, AttributeError, KeyError, TypeError):
        return None, None, None, None


def _error(spool: Spool, run_id: str) -> str | None:
    """The reason why the document still waits, if the last attempt ended with it."""
    attempt = spool.last_attempt()
    return str(attempt.get("why")) if attempt.get("run_id") == run_id else None


def _hint(state: str, listed: bool, count: int) -> str:
    if state == SENT and count and not listed:
        return " (--all lists them)"
    return " (--rejected of `benchagent upload` sends them once more)" if state == REJECTED and count else ""


def _line(entry: SpooledRun) -> str:
    body = entry.answer.get("body", {}) if entry.answer else {}
    error = body.get("error")
    answer = body.get("url") or (error.get("message") if isinstance(error, dict) else None) or ""
    title = entry.point or entry.tool or "damaged"
    columns = (entry.run_id, f"{title:<20}", f"{format_duration(entry.age_seconds):>9} old", _size(entry.bytes))
    return one_line(f"  {'  '.join(columns)}  {answer}".rstrip())


def _ago(at: object) -> str:
    """The time since the last attempt as text."""
    try:
        then = datetime.fromisoformat(str(at))
    except ValueError:
        return "at an unknown time"
    return f"{format_duration(max(0.0, (datetime.now(timezone.utc) - then).total_seconds()))} ago"


def _size(size: int) -> str:
    """A size as text in whole KiB, which is exact enough here."""
    return format_size(max(1, round(size / 1024)) * 1024)
