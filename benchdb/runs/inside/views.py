"""The page inside a run, and its file. Views parse, call and render."""

from __future__ import annotations

import re
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from benchdb.http.rendering import render_page
from benchdb.runs.store.round_series import series_of_round
from benchdb.runs.views import deleted, visible_run

from .files import write_csv
from .page import inside_page

MOST_DIGITS = 6  # of the number of a round
_TIME = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")


@require_safe
def inside(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """The series of one round as small charts on one time axis."""
    run = visible_run(request, run_id)
    if run is None:
        return deleted(request, run_id)
    page = inside_page(run, _chosen(request), _seconds(request, "from"), _seconds(request, "to"))
    if page is None:
        raise Http404
    return render_page(request, "runs/inside.html", page)


@require_safe
def inside_data(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """The series of one round as CSV; of the first one without a choice."""
    run = visible_run(request, run_id)
    if run is None:
        return deleted(request, run_id)
    number = _chosen(request) or 1
    series = series_of_round(run.pk, number - 1)
    if not series:
        raise Http404
    name = f"{run.pk}-round-{number}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    answer = HttpResponse(content_type="text/csv; charset=utf-8", headers=headers)
    write_csv(series, answer)
    return answer


def _seconds(request: HttpRequest, name: str) -> float | None:
    """A time in the query; None if it is missing or empty. Raises Http404."""
    text = request.GET.get(name, "")
    if not text:
        return None
    if not _TIME.fullmatch(text):
        raise Http404
    return float(text)


def _chosen(request: HttpRequest) -> int | None:
    """The round in the query, counted from 1; None without one. Raises Http404."""
    text = request.GET.get("round")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise Http404
    return int(text)
