"""The campaign documents of a spool: kept before anything is sent, like runs, and delivered around them.

`campaigns/` holds announcements and `ends/` the same documents with their end, each with the folders of a spool; apart,
so that an end never takes the place of an announcement that is just being sent.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchagent.errors import UnknownRun
from benchagent.progress import Reporter
from benchagent.server.client import Answer, Client, NotNow

from .spool import PENDING, REJECTED, SENT, STATES, Spool

ANNOUNCEMENTS, ENDS = "campaigns", "ends"


class Campaigns:
    """Raises SpoolError where the disk refuses."""

    def __init__(self, spool: Path) -> None:
        self.announcements, self.ends = Spool(spool / ANNOUNCEMENTS), Spool(spool / ENDS)

    def announce(self, document: Mapping[str, Any]) -> None:
        """Keep an announcement."""
        self.announcements.add(str(document["campaign_id"]), dict(document))

    def end(self, document: Mapping[str, Any]) -> None:
        """Keep how a campaign ended."""
        self.ends.add(str(document["campaign_id"]), dict(document))

    def announced(self, campaign_id: str) -> dict[str, Any] | None:
        """The announcement, whatever became of it; None where there is none that can be read."""
        for state in STATES:
            try:
                found = json.loads(self.announcements.read(state, campaign_id))
            except (UnknownRun, ValueError):
                continue
            return found if isinstance(found, dict) else None
        return None

    def has_ended(self, campaign_id: str) -> bool:
        return self.ends.has(campaign_id)

    def waiting(self) -> int:
        """How many documents wait to be sent."""
        return len(self.announcements.ids(PENDING)) + len(self.ends.ids(PENDING))

    def documents(self) -> Iterator[bytes]:
        """Those that wait, byte for byte as they are sent."""
        for spool in (self.announcements, self.ends):
            for campaign_id in spool.ids(PENDING):
                yield spool.read(PENDING, campaign_id)

    def reopen(self) -> None:
        """Let what the server refused wait again."""
        for spool in (self.announcements, self.ends):
            for campaign_id in spool.ids(REJECTED):
                spool.reopen(campaign_id)


def deliver(spool: Spool, client: Client, tell: Reporter) -> int:
    """Send the campaign documents that wait in `spool`, announcements or ends. Returns how many the server refused.

    Raises NotNow if the server does not decide.
    """
    refused = 0
    for campaign_id in spool.ids(PENDING):
        try:
            data = spool.read(PENDING, campaign_id)
        except UnknownRun:
            continue  # another upload at the same time has settled it
        answer = _put(client, campaign_id, data, tell)
        if answer is None:
            continue
        spool.settle(campaign_id, SENT if answer.stored else REJECTED, answer.as_dict())
        if answer.stored:
            over = "ended" in json.loads(data)
            tell.event("campaign_sent", campaign_id=campaign_id, url=answer.body.get("url"), over=over)
        else:
            refused += 1
            tell.event("campaign_refused", campaign_id=campaign_id, why=answer.body["error"]["message"])
    return refused


def _put(client: Client, campaign_id: str, data: bytes, tell: Reporter) -> Answer | None:
    """The server's decision, None where it did not decide about this one only."""
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
