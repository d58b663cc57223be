"""The page of a campaign with the campaigns that repeat it, which packages below `web` cannot import."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from benchdb.http.rendering import render_page
from benchdb.http.requests import number_of
from benchdb.plans.campaign.page import campaign_page_of, can_compare
from benchdb.plans.queries import STATES, campaign_status
from benchdb.reproductions.page import campaign_lines
from benchdb.reproductions.reading import reproductions_of
from benchdb.runs.quantities.by_tool import figures_by_tool
from benchdb.runs.quantities.loads import measured_rising_load
from benchdb.runs.quantities.reading import MOST_QUANTITIES, quantities_of


@require_safe
def campaign_page(request: HttpRequest, campaign_id: UUID) -> HttpResponse:
    """One campaign with every point of its matrix, or the points in one state."""
    campaign = campaign_status(campaign_id, request.user)
    state = request.GET.get("state", "")
    if campaign is None or state not in ("", *STATES):
        raise Http404
    results = sum(point.results for point in campaign.points)
    quantities = (
        quantities_of(campaign.run_ids, results) if can_compare(campaign) and results <= MOST_QUANTITIES else None
    )
    page = campaign_page_of(
        campaign,
        state,
        number_of(request, "row"),
        tools=[*figures_by_tool(quantities)] if quantities else [],
        curves=quantities is not None and measured_rising_load(quantities),
        repeated=campaign_lines(reproductions_of(campaign_id, request.user)),
    )
    return render_page(request, "plans/campaign.html", page)
