"""Machines. Views parse, call and render."""

from __future__ import annotations

from datetime import datetime

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_safe

from benchdb.http.rendering import render_page
from benchdb.http.requests import number_of
from benchdb.http.shown_once import carried, only_now
from benchdb.plans.command_lines import PageVisit

from .listing import list_page
from .page import PageQuery, find, page_of


@require_safe
def machine_list(request: HttpRequest) -> HttpResponse:
    """The inventory of machines, the most recently seen first."""
    page = list_page(request.user, request.GET)
    return render_page(request, "machines/list.html", page, status=400 if page["faults"] else 200)


@require_safe
def machine_page(request: HttpRequest, machine_id: int) -> HttpResponse:
    """One machine: facts, changes and histories of workloads."""
    machine = find(machine_id, request.user)
    if machine is None:
        raise Http404
    query = PageQuery(number_of(request, "workload"), _time(request.GET.get("before", "")))
    page = page_of(machine, request.user, query, PageVisit.of(request))
    response = render_page(request, "machines/machine.html", page)
    return only_now(response, request) if carried(request) else response


def _time(text: str) -> datetime | None:
    """The time with its zone, or None for an empty text. Raises Http404 for anything else."""
    if not text:
        return None
    try:
        time = parse_datetime(text.replace(" ", "+"))
    except ValueError:
        time = None
    if time is None or time.tzinfo is None:
        raise Http404
    return time
