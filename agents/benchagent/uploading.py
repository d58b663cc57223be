"""Brings pending documents to the server and settles them by its answers."""

from __future__ import annotations

import json
from collections.abc import Sequence

from .client import Answer, Client, NotNow
from .errors import DocumentRejected, ServerUnreachable
from .progress import Reporter
from .spool import PENDING, REJECTED, SENT, Spool


def upload(spool: Spool, client: Client, ids: Sequence[str], reporter: Reporter) -> None:
    """Send the pending documents `ids`.

    Raises ServerUnreachable as soon as the server does not decide, leaving the rest pending, and DocumentRejected at
    the end where it refused some.
    """
    rejected = 0
    for index, run_id in enumerate(ids):
        data = spool.read(PENDING, run_id)
        try:
            answer = client.send(run_id, data, lambda why, seconds: reporter.event("waiting", why=why, seconds=seconds))
        except NotNow as why:
            raise ServerUnreachable(why, len(ids) - index) from None
        path = spool.settle(run_id, SENT if answer.stored else REJECTED, answer.as_dict())
        point = json.loads(data).get("campaign", {}).get("point", run_id)
        if answer.stored:
            body = answer.body
            reporter.event("uploaded", run_id=run_id, point=point, url=body.get("url"), state=body.get("state"))
        else:
            rejected += 1
            facts = {"message": message(answer), "path": str(path), "answer": answer.as_dict()}
            reporter.event("rejected", run_id=run_id, point=point, **facts)
    if rejected:
        raise DocumentRejected(rejected, len(ids), spool.directory / REJECTED)


def message(answer: Answer) -> str:
    """The server's own sentence, or its status where it said nothing readable."""
    error = answer.body.get("error")
    said = error.get("message") if isinstance(error, dict) else answer.body.get("text")
    return f"{answer.status} {said or ''}".strip()
