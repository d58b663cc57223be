"""Sends pending documents to the server, settles them by its answers, and waits for the statistics."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from datetime import datetime, timezone

from benchagent.documents.shape import RunDocument
from benchagent.errors import DocumentRejected, ServerUnreachable, SpoolError, UnknownRun
from benchagent.progress import Reporter, counted
from benchagent.server.client import Client, NotNow, ServerAnswer
from benchagent.server.exchange import NoReply

from .store import PENDING, REJECTED, SENT, Spool

UNFINISHED = ("received", "computing")
PAUSE, LONGEST_PAUSE, PATIENCE = 0.1, 2.0, 60.0  # seconds between questions for the state, and of all of them


def upload(spool: Spool, client: Client, ids: Sequence[str], reporter: Reporter) -> list[str]:
    """Send the pending documents `ids`. Returns those of the stored runs whose statistics the server computes.

    Raises ServerUnreachable as soon as the server does not decide, and leaves the rest pending. After the last
    document, raises SpoolError if an answer could not be kept, ServerUnreachable if something between agent and server
    refused documents, and DocumentRejected if the server refused documents.
    """
    uploading = _Upload(spool, client, reporter)
    uploading.send(ids)
    return uploading.unfinished


def await_statistics(client: Client, run_ids: Sequence[str], reporter: Reporter) -> None:
    """Wait until the server has computed the statistics of these stored runs, and tell of each.

    Nothing is lost if it does not: after a minute, or when the server does not answer, tell so and return.
    """
    waiting, pause, end = list(run_ids), PAUSE, time.monotonic() + PATIENCE
    if waiting:
        reporter.event("computing", points=len(waiting))
    while waiting:
        try:
            state = client.state_of(waiting[0])
        except NoReply as error:
            reporter.event("not_awaited", why=f"{client.server} {error}", points=len(waiting))
            return
        if state not in UNFINISHED:
            reporter.event("ready", run_id=waiting.pop(0), state=state)
        elif time.monotonic() > end:
            reporter.event("not_awaited", why=f"{client.server} still computes", points=len(waiting))
            return
        else:
            time.sleep(pause)
            pause = min(1.5 * pause, LONGEST_PAUSE)
    if run_ids:
        reporter.event("computed", points=len(run_ids))


class _Upload:
    """One upload, with its failures."""

    def __init__(self, spool: Spool, client: Client, reporter: Reporter) -> None:
        self._spool, self._client, self._reporter = spool, client, reporter
        self.unfinished: list[str] = []
        self._kept_name: object = None  # of the machine, once told
        self._rejected = 0
        self._undecided: tuple[NotNow, str] | None = None
        self._unsettled: SpoolError | None = None

    def send(self, ids: Sequence[str]) -> None:
        for run_id in ids:
            try:
                data = self._spool.read(PENDING, run_id)
            except UnknownRun:
                continue  # settled by another upload at the same time
            self._send(run_id, data)
        if self._unsettled is not None:
            raise self._unsettled
        if self._undecided is not None:
            raise self._unreachable(*self._undecided)
        self._spool.forget_attempt()
        if self._rejected:
            raise DocumentRejected(self._rejected, len(ids), self._spool.directory / REJECTED)

    def _send(self, run_id: str, data: bytes) -> None:
        try:
            answer = self._client.send(run_id, data, self._waiting)
        except NotNow as why:
            if not why.only_this:
                raise self._unreachable(why, run_id) from None
            self._undecided = why, run_id
            self._reporter.event("undecided", run_id=run_id, point=point_of(data), why=str(why))
            return
        try:
            self._settle(run_id, data, answer)
        except SpoolError as error:
            # The server has decided. The next upload sends this document again; the others are sent now.
            self._unsettled = error
            self._reporter.event("unsettled", run_id=run_id, point=point_of(data), why=str(error))

    def _settle(self, run_id: str, data: bytes, answer: ServerAnswer) -> None:
        path = self._spool.settle(run_id, SENT if answer.stored else REJECTED, answer.as_dict())
        if not path.exists():
            return  # an earlier answer to another upload counts
        point, name = _names(data)
        if answer.stored:
            url, state = answer.body.get("url"), answer.body.get("state")
            if state in UNFINISHED:
                self.unfinished.append(run_id)
            self._reporter.event("uploaded", run_id=run_id, point=point, url=url, state=state)
            kept = answer.body.get("machine", name)
            if kept not in (name, self._kept_name):
                self._kept_name = kept
                self._reporter.event("not_renamed", machine=name, kept=kept)
        else:
            self._rejected += 1
            words = f"{answer.status} {answer.message}"
            self._reporter.event(
                "rejected", run_id=run_id, point=point, message=words, path=str(path), answer=answer.as_dict()
            )

    def _waiting(self, why: str, seconds: float) -> None:
        self._reporter.event("waiting", why=why, seconds=seconds)

    def _unreachable(self, why: NotNow, run_id: str) -> ServerUnreachable:
        """The error that ends the upload; `benchagent status` repeats its reason."""
        at = datetime.now(timezone.utc).isoformat(timespec="seconds")
        words = str(why)
        try:
            self._spool.note_attempt({"at": at, "run_id": run_id, "why": words})
        except SpoolError as error:
            words = f"{words}\n{error}"
        return ServerUnreachable(words, counted(len(self._spool.ids(PENDING)), "document"))


def point_of(data: bytes) -> str:
    """The campaign's point, else the run's id, else a text for a damaged document."""
    return _names(data)[0]


def _names(data: bytes) -> tuple[str, object]:
    """The document's point as `point_of` has it, and the name of its machine."""
    try:
        document: RunDocument = json.loads(data)
        point = str(document.get("campaign", {}).get("point") or document["run_id"])
        return point, document.get("machine", {}).get("name")
    except (ValueError, AttributeError, KeyError, TypeError):
        return "a damaged document", None
