"""The answers that lists show of campaigns: workers make and keep them before anybody asks."""

from __future__ import annotations

from django.contrib.auth.models import User

from benchdb.compare.page_parts.kept import LeftToWorker, LivePart
from benchdb.compare.query.visible import readable
from benchdb.runs import kept
from benchdb.runs.listing.recent_campaigns import ANSWER, recent_campaigns
from benchdb.runs.models import FINISHED, Run

from .worker_files import Busy, ask_part


def ask_answers() -> int:
    """Ask workers for the answers of the newest campaigns that have none, as their owners see them. Idempotent.

    Of public runs all readers see the same. Returns how many were asked for.
    """
    asked = 0
    newest = recent_campaigns(Run.objects.filter(runstate__state__in=FINISHED), None)
    owners = User.objects.in_bulk([each.owner for each in newest])
    for campaign in newest:
        part, reader = LivePart(*ANSWER, campaign.query), owners[campaign.owner]
        seen = kept.seen(readable((), [campaign.campaign], reader))
        if seen.unfinished or kept.find(seen.key(*part)) is not None:
            continue
        try:
            ask_part(LeftToWorker(part, reader, seen, 0.0))
        except Busy:
            break
        asked += 1
    return asked
