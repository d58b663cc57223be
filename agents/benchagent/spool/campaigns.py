"""The campaign documents of a spool: announcements, delivered before the runs, and endings, delivered after them.

Announcements are in `campaigns/` and endings in `ends/`, each with the folders of a spool. Separate directories prevent
an ending from replacing an announcement that is being sent.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from benchagent.errors import UnknownRun

from .store import PENDING, REJECTED, STATES, Spool

if TYPE_CHECKING:
    from benchagent.documents.campaign import AnnouncedCampaign

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
