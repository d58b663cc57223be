"""Browsing runs: the list, the run page, the raw output. Views parse, call and render."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from .browse import RunFilter, facets, page
from .models import Artifact, Run, Tombstone
from .page import run_context


@require_safe
def run_list(request: HttpRequest) -> HttpResponse:
    """Runs that match the filters, newest first."""
    form = RunFilter(request.GET)
    valid = form.is_valid()
    asked: dict[str, Any] = form.cleaned_data if valid else {}
    listed = Run.objects.listed_for(request.user)
    found = page(listed if valid else listed.none(), asked, request.GET)
    filtering = any(value for name, value in asked.items() if name != "after")
    context = {"form": form, "page": found, "facets": facets(listed, asked), "filtering": filtering}
    return render(request, "runs/list.html", context, status=200 if valid else 400)


@require_safe
def run_page(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """One run: what ran where and how well."""
    run = visible_run(request, run_id)
    if run is None:
        return render(request, "runs/deleted.html", {"run_id": run_id}, status=410)
    return render(request, "runs/run.html", run_context(run))


@require_safe
def raw_page(request: HttpRequest, run_id: UUID, name: str) -> HttpResponse:
    """A tool's raw output with line numbers that links can name."""
    run = visible_run(request, run_id)
    if run is None:
        return render(request, "runs/deleted.html", {"run_id": run_id}, status=410)
    artifact = get_object_or_404(Artifact, run=run, name=name)
    # Split as the parsers count lines; other line separators of Unicode stay inside their line.
    lines = bytes(artifact.content).decode("utf-8", "replace").replace("\r\n", "\n").removesuffix("\n").split("\n")
    return render(request, "runs/raw.html", {"run": run, "artifact": artifact, "lines": lines})


def visible_run(request: HttpRequest, run_id: UUID) -> Run | None:
    """The run, or None where it was deleted. Raises Http404 where there is none that this reader may see."""
    run = Run.objects.visible_to(request.user).with_context().filter(pk=run_id).first()
    if run is None and not Tombstone.objects.filter(run_id=run_id).exists():
        raise Http404
    return run
