"""Pages for the owner of a run: edit labels and visibility, withdraw, reinstate, delete."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from uuid import UUID

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from benchdb.runs.page.run_title import title_of
from benchdb.wording.names import check_name
from benchdb.wording.words import VISIBILITIES

from .models import Run, Visibility
from .services import LONGEST_REASON, EditForm, HeldByStaff, delete_run, print_labels
from .services import edit as edit_run
from .services import reinstate as reinstate_run
from .services import withdraw as withdraw_run
from .views import deleted, visible_run


class WithdrawalForm(forms.Form):
    """The reason for a withdrawal."""

    reason = forms.CharField(
        max_length=LONGEST_REASON,
        error_messages={"required": "Give the reason, for people who used the run."},
        validators=[check_name],
    )


def _of_own_run(view: Callable[[HttpRequest, Run], HttpResponse]) -> Callable[[HttpRequest, UUID], HttpResponse]:
    """Pass the reader's own run to the view; answer 404 for other runs and 410 for deleted ones."""

    @wraps(view)
    def with_run(request: HttpRequest, run_id: UUID) -> HttpResponse:
        run = visible_run(request, run_id)
        if run is None:
            return deleted(request, run_id)
        if run.runstate.owner_id != request.user.pk:
            raise Http404
        return view(request, run)

    return with_run


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@_of_own_run
def edit(request: HttpRequest, run: Run) -> HttpResponse:
    """Change labels and visibility; a faulty form is shown again with every fault."""
    form = EditForm(request.POST if request.method == "POST" else None)
    labels, unsaid = print_labels(run.runstate.labels)
    if form.is_valid():
        try:
            edit_run(run, {**unsaid, **form.cleaned_data["labels"]}, Visibility(form.cleaned_data["visibility"]))
            return redirect(run)
        except HeldByStaff as error:
            form.add_error("visibility", str(error))
    chosen = form.data.get("visibility") or run.runstate.visibility
    context = {
        **_context(run),
        "labels": form.data.get("labels", "") if form.is_bound else labels,
        "unsaid": unsaid,
        "visibilities": [
            {"value": value, "text": text, "selected": value == chosen}
            for value, text in VISIBILITIES.items()
            if run.runstate.visibility_limit in (None, *Visibility(value).within())
        ],
        "faults": [fault for faults in form.errors.values() for fault in faults],
    }
    return render(request, "runs/edit.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@_of_own_run
def withdraw(request: HttpRequest, run: Run) -> HttpResponse:
    """Ask for the reason, then withdraw the run."""
    form = WithdrawalForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            withdraw_run(run, form.cleaned_data["reason"])
            return redirect(run)
        except HeldByStaff as error:
            form.add_error("reason", str(error))
    context = {**_context(run), "reason": form["reason"].value() or "", "longest": LONGEST_REASON}
    context["faults"] = list(form.errors.get("reason", []))
    return render(request, "runs/withdraw.html", context, status=422 if form.is_bound else 200)


@require_POST
@login_required
@_of_own_run
def reinstate(request: HttpRequest, run: Run) -> HttpResponse:
    """Reinstate a withdrawn run. Raises PermissionDenied if a maintainer has withdrawn it."""
    try:
        reinstate_run(run)
    except HeldByStaff as error:
        raise PermissionDenied from error
    return redirect(run)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@_of_own_run
def delete(request: HttpRequest, run: Run) -> HttpResponse:
    """Ask for confirmation, then delete the run; its address answers 410 afterwards."""
    if request.method == "POST":
        address = run.get_absolute_url()
        delete_run(run)
        return redirect(address)
    return render(request, "runs/delete.html", _context(run))


def _context(run: Run) -> dict[str, object]:
    return {"section": "runs", "run": run, "title": title_of(run)}
