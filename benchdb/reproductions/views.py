"""The page of a campaign that repeats another. Views parse, call and render."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from benchdb.http.rendering import render_page

from .files import as_csv
from .models import Reproduction
from .page import reproduction_page
from .reading import reproduction


@require_safe
def page(request: HttpRequest, campaign_id: UUID, original_id: UUID) -> HttpResponse:
    """Whether a campaign shows what the original showed, conclusion by conclusion."""
    pair = _pair(request, campaign_id, original_id)
    return render_page(request, "reproductions/reproduction.html", reproduction_page(pair))


@require_safe
def csv_file(request: HttpRequest, campaign_id: UUID, original_id: UUID) -> HttpResponse:
    """The same as CSV."""
    pair = _pair(request, campaign_id, original_id)
    headers = {"Content-Disposition": f'attachment; filename="reproduction-{pair.repetition_id}.csv"'}
    return HttpResponse(as_csv(pair), content_type="text/csv; charset=utf-8", headers=headers)


def _pair(request: HttpRequest, campaign_id: UUID, original_id: UUID) -> Reproduction:
    pair = reproduction(campaign_id, original_id, request.user)
    if pair is None:
        raise Http404
    return pair
