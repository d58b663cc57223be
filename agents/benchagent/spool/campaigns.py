"""The campaign documents of a spool: announcements, delivered before the runs, and endings, delivered after them.

Announcements are in `campaigns/` and endings in `ends/`, each with the folders of a spool. Separate directories prevent
an ending from replacing an announcement that is being sent.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from benchagent.documents.campaign import AnnouncedCampaign
from benchagent.errors import UnknownRun
from benchagent.progress import Reporter
from benchagent.server.client import Client, NotNow, ServerAnswer

from .store import PENDING, REJECTED, SENT, STATES, Spool

ANNOUNCEMENTS, ENDS = "campaigns", "ends"


class Campaigns:
    """The announcements and endings of one spool. Raises SpoolError if the disk refuses."""

    def __init__(self, spool: Path) -> None:
        self.announcements, self.ends = Spool(spool / ANNOUNCEMENTS), Spool(spool / ENDS)

    def announce(self, document: AnnouncedCampaign) -> None:
        """Keep an announcement."""
        self.announcements.add(document["campaign_id"], document)

    def end(self, document: AnnouncedCampaign) -> None:
        """Keep the ending of a campaign."""
        self.ends.add(document["campaign_id"], document)

    def announced(self, campaign_id: str) -> AnnouncedCampaign | None:
        """The announcement, in whatever state; None if there is no readable one."""
        for state in STATES:
            try:
                document: AnnouncedCampaign = json.loads(self.announcements.read(state, campaign_id))
            except (UnknownRun, ValueError):
                continue
            return document if isinstance(document, dict) else None
        return None

    def has_ended(self, campaign_id: str) -> bool:
        return self.ends.has(campaign_id)

    def waiting(self) -> int:
        """Number of documents that wait to be sent."""
        return len(self.announcements.ids(PENDING)) + len(self.ends.ids(PENDING))

    def documents(self) -> Iterator[bytes]:
        """The waiting documents, byte for byte as they are sent."""
        for spool in (self.announcements, self.ends):
            for campaign_id in spool.ids(PENDING):
                yield spool.read(PENDING, campaign_id)

    def reopen(self) -> None:
        """Move the rejected documents back to the waiting ones."""
        for spool in (self.announcements, self.ends):
            for campaign_id in spool.ids(REJECTED):
                spool.reopen(campaign_id)


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
