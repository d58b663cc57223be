"""The addresses of feeds. They have only what everybody may see, for every reader. Views parse, call and render."""

from __future__ import annotations

from datetime import datetime
from urllib.parse import urlencode
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from benchdb.compare.page_parts.impossible import impossible_as_text
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.http.requests import number_of
from benchdb.plans.models import Campaign
from benchdb.plans.stored import StoredEnd
from benchdb.runs.listing.query import read
from benchdb.wording.numbers import plural

from .atom import PAGE, Entry, FeedPage, feed_response
from .runs import runs_feed
from .trends import trend_feed


@require_safe
def runs(request: HttpRequest) -> HttpResponse:
    """Public runs in the order of their changes; the filters are those of the list of runs."""
    query = request.GET.copy()
    query.pop("before", None)
    list_query, faults = read(query)
    if faults:
        return impossible_as_text(ImpossibleSelection(faults))
    return feed_response(request, runs_feed(list_query, number_of(request, "before")))


@require_safe
def campaigns(request: HttpRequest) -> HttpResponse:
    """Public campaigns, of all machines or of one."""
    return feed_response(request, campaigns_feed(number_of(request, "machine"), _before(request)))


@require_safe
def trend(request: HttpRequest) -> HttpResponse:
    """The established change points of a trend."""
    try:
        return feed_response(request, trend_feed(request.GET))
    except ImpossibleSelection as error:
        return impossible_as_text(error)


def _before(request: HttpRequest) -> UUID | None:
    text = request.GET.get("before")
    try:
        return UUID(text) if text else None
    except ValueError:
        raise Http404 from None


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
