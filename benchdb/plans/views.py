"""Campaigns and the queue of plans. Views parse, call and render."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from benchdb.http.rendering import render_page
from benchdb.http.requests import AuthenticatedRequest, number_of
from benchdb.http.shown_once import carried, only_now
from benchdb.quotas.limits import QuotaExceeded
from benchdb.runs.models import Visibility

from . import listing, queue
from .command_lines import PageVisit
from .forms import QueueForm
from .models import Campaign, Job
from .starting import Start, new_page, start


@require_safe
def campaign_list(request: HttpRequest) -> HttpResponse:
    """Campaigns, newest first, of all machines or of one."""
    listed = Campaign.objects.listed_for(request.user)
    machine = number_of(request, "machine")
    if machine:
        listed = listed.filter(machine=machine)
    page = listing.campaigns_page(listed, request.user, _after(request), machine)
    return render_page(request, "plans/campaigns.html", page)


@require_safe
@login_required
def queue_page(request: AuthenticatedRequest) -> HttpResponse:
    """The user's queued plans and machines."""
    page = listing.queue_page_of(request.user, PageVisit.of(request), _after(request))
    return _shown(request, render_page(request, "plans/queue.html", page))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def plan_new(request: AuthenticatedRequest) -> HttpResponse:
    """Queue a plan; a faulty form returns with every fault at its field."""
    if request.method != "POST":
        return _form(request, QueueForm(request.user), start(request.GET, request.user))
    form = QueueForm(request.user, request.POST)
    if form.is_valid():
        sent = form.cleaned_data
        try:
            jobs = queue.queue_plan(request.user, sent["plan"], sent["machines"], Visibility(sent["visibility"]))
        except queue.QueueFull as error:
            form.add_error("machines", f"{queue.MOST_WAITING} plans wait for {error} already. Cancel some of them.")
        except QuotaExceeded as error:
            form.add_error("plan", str(error))
        else:
            return redirect(jobs[0] if len(jobs) == 1 else "queue")
    entered = request.POST
    again = Start(entered.get("plan", ""), entered.getlist("machines"), entered.get("visibility", ""))
    return _form(request, form, again, status=422)


@require_safe
@login_required
def job_page(request: AuthenticatedRequest, job_id: UUID) -> HttpResponse:
    """One queued plan on one machine."""
    page = listing.job_page_of(_own_job(request, job_id), PageVisit.of(request))
    return _shown(request, render_page(request, "plans/job.html", page))


@require_POST
@login_required
def job_cancel(request: AuthenticatedRequest, job_id: UUID) -> HttpResponse:
    """Remove the plan from the queue, or stop its agent at the next report."""
    return redirect(queue.cancel(_own_job(request, job_id)))


def _own_job(request: AuthenticatedRequest, job_id: UUID) -> Job:
    return get_object_or_404(Job.objects.for_pages(), pk=job_id, owner=request.user)


def _after(request: HttpRequest) -> UUID | None:
    """The id at which a list continues. Raises Http404 for an invalid id."""
    try:
        return UUID(request.GET["after"]) if request.GET.get("after") else None
    except ValueError:
        raise Http404 from None


def _form(request: AuthenticatedRequest, form: QueueForm, filled: Start, status: int = 200) -> HttpResponse:
    page = new_page(form, filled, PageVisit.of(request))
    return _shown(request, render_page(request, "plans/new.html", page, status=status))


def _shown(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The response, which no cache keeps if it has the secret of a new token."""
    return only_now(response, request) if carried(request) else response
