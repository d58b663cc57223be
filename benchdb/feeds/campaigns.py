"""The feed of public campaigns, the newest first."""

from __future__ import annotations

from datetime import datetime
from urllib.parse import urlencode
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.urls import reverse

from benchdb.plans.models import Campaign
from benchdb.plans.stored import StoredEnd
from benchdb.wording.numbers import plural

from .atom import PAGE, Entry, FeedPage


def campaigns_feed(machine: int, before: UUID | None) -> FeedPage:
    """The campaigns before this one, of one machine or of all if `machine` is 0; one query."""
    campaigns = Campaign.objects.listed_for(AnonymousUser()).select_related("machine")
    if machine:
        campaigns = campaigns.filter(machine=machine)
    if before is not None:
        campaigns = campaigns.filter(id__lt=before)
    found = list(campaigns.defer("plan_text", "targets", "workloads", "points").order_by("-id")[: PAGE + 1])
    shown, more = found[:PAGE], found[PAGE:]
    return FeedPage(
        title=f"Campaigns of {shown[0].machine.name}" if machine and shown else "Campaigns",
        page=_address("campaigns", machine),
        first=_address("campaigns-feed", machine),
        here=_address("campaigns-feed", machine, before),
        following=_address("campaigns-feed", machine, shown[-1].pk) if more else "",
        entries=[_entry(campaign) for campaign in shown],
    )


def _address(name: str, machine: int, before: UUID | None = None) -> str:
    pairs = {**({"machine": machine} if machine else {}), **({"before": before} if before else {})}
    return f"{reverse(name)}?{urlencode(pairs)}" if pairs else reverse(name)


def _entry(campaign: Campaign) -> Entry:
    ended: StoredEnd | None = campaign.ended
    reason = ended["reason"] if ended else None
    counts = f"{ended['measured']} measured, {ended['failed']} failed, {ended['skipped']} skipped" if ended else ""
    state = f"{campaign.state}: {reason}" if reason else campaign.state
    return Entry(
        id=campaign.pk.urn,
        title=f"{campaign.plan_name} · {campaign.machine.name}",
        path=campaign.get_absolute_url(),
        published=campaign.started_at,
        updated=datetime.fromisoformat(ended["at"]) if ended else campaign.started_at,
        lines=list(filter(None, [state, plural(campaign.point_count, "point"), counts])),
        data=reverse("api-1:get_campaign", args=[campaign.pk]),
    )
