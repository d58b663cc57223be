"""The answers that lists show of campaigns: workers make and keep them before anybody asks."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser, User

from benchdb.compare.page_parts.kept import LeftToWorker, LivePart
from benchdb.compare.query.visible import readable
from benchdb.runs import kept
from benchdb.runs.listing.recent_campaigns import ANSWER, recent_campaigns
from benchdb.runs.models import FINISHED, Run

from .worker_files import Busy, ask_part


def ask_answers() -> int:
    """Ask workers for the answers of the newest campaigns that have none, as readers without an account see them, and
    as their owners do if these see more. Idempotent. Returns how many were asked for.
    """
    asked = 0
    newest = recent_campaigns(Run.objects.filter(runstate__state__in=FINISHED), None)
    owners = User.objects.in_bulk([each.owner for each in newest])
    for campaign in newest:
        part, readers = LivePart(*ANSWER, campaign.query), (owners[campaign.owner], AnonymousUser())
        views = [(reader, kept.seen(readable((), [campaign.campaign], reader))) for reader in readers]
        for key, (reader, seen) in {seen.key(*part): (reader, seen) for reader, seen in views if seen.ids}.items():
            if seen.unfinished or kept.find(key) is not None:
                continue
            try:
                ask_part(LeftToWorker(part, reader, seen, 0.0))
            except Busy:
                return asked
            asked += 1
    return asked
