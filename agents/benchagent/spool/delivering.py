"""Sends all documents of a spool: the runs, and the campaigns around them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

from benchagent.errors import AgentError, DocumentRejected, ServerUnreachable, UnknownRun
from benchagent.progress import Reporter, counted
from benchagent.server.client import Client, NotNow, ServerAnswer

from .campaigns import Campaigns
from .store import PENDING, REJECTED, SENT, Spool
from .uploading import upload


def deliver_all(spool: Spool, client: Client, tell: Reporter) -> list[str]:
    """Send all documents that wait in a spool. Returns what `upload` returns, and raises its exceptions."""
    with campaigns_too(spool, client, tell):
        return upload(spool, client, spool.ids(PENDING), tell)


@contextmanager
def campaigns_too(spool: Spool, client: Client, tell: Reporter) -> Iterator[None]:
    """Send the campaigns after the runs that the `with` block sends; an error of a run is raised after that."""
    problem: AgentError | None = None
    try:
        yield
    except ServerUnreachable:
        raise
    except AgentError as error:  # of a run; the campaigns may still be sent
        problem = error
    deliver_campaigns(spool, client, tell)
    if problem is not None:
        raise problem


def deliver_campaigns(spool: Spool, client: Client, tell: Reporter) -> None:
    """Send the campaign documents that wait. Raises ServerUnreachable and DocumentRejected."""
    campaigns = Campaigns(spool.directory)
    waiting = campaigns.waiting()
    try:
        refused = deliver(campaigns.announcements, client, tell) + deliver(campaigns.ends, client, tell)
    except NotNow as why:
        raise ServerUnreachable(str(why), counted(campaigns.waiting(), "campaign document")) from None
    if refused:
        raise DocumentRejected(refused, waiting, f"{campaigns.announcements.directory} and {campaigns.ends.directory}")


def deliver(spool: Spool, client: Client, tell: Reporter) -> int:
    """Send the campaign documents that wait in `spool`. Returns the number of documents that the server refused.

    Raises NotNow if the server does not decide.
    """
    refused = 0
    for campaign_id in spool.ids(PENDING):
        try:
            data = spool.read(PENDING, campaign_id)
        except UnknownRun:
            continue  # settled by another upload at the same time
        answer = _put(client, campaign_id, data, tell)
        if answer is None:
            continue
        spool.settle(campaign_id, SENT if answer.stored else REJECTED, answer.as_dict())
        if answer.stored:
            ended = "ended" in json.loads(data)
            tell.event("campaign_sent", campaign_id=campaign_id, url=answer.body.get("url"), over=ended)
        else:
            refused += 1
            tell.event("campaign_refused", campaign_id=campaign_id, why=answer.message)
    return refused


def _put(client: Client, campaign_id: str, data: bytes, tell: Reporter) -> ServerAnswer | None:
    """The server's decision; None if the server can decide about other documents but not about this one."""
    names = {"campaign_id": campaign_id}
    try:
        return client.put(
            f"campaigns/{campaign_id}",
            names,
            data,
            lambda why, seconds: tell.event("waiting", why=why, seconds=seconds),
        )
    except NotNow as why:
        if why.only_this:
            tell.event("undecided", run_id=campaign_id, point=f"campaign {campaign_id}", why=str(why))
            return None
        raise
