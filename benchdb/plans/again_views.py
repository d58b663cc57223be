"""The page with the commands that run a stored run's workload again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from urllib.parse import urlencode
from uuid import UUID

from django.core.validators import slug_re
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from benchdb.http.rendering import render_page
from benchdb.http.requests import server_of
from benchdb.runs.models import Run
from benchdb.runs.page.run_title import title_of
from benchdb.runs.views import deleted, visible_run
from benchdb.wording.numbers import plural
from benchdb.wording.words import command_line

from .again import NoPlan, Repetition, needs_root, plan_again, repetition_of
from .command_lines import AGENT, PLACEHOLDER
from .queries import announced


@require_safe
def again(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """The plan and two commands that repeat the run; without a plan, its command or the pages with more."""
    run = visible_run(request, run_id)
    return deleted(request, run_id) if run is None else render_page(request, "plans/again.html", _page(request, run))


@require_safe
def again_plan(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """The plan as a file; 404 if there is none."""
    run = visible_run(request, run_id)
    if run is None:
        return deleted(request, run_id)
    asked = repetition_of(run, request.GET, request.user)
    try:
        text = plan_again(run, asked.beside, asked.rounds)
    except NoPlan:
        raise Http404 from None
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


def _page(request: HttpRequest, run: Run) -> dict[str, object]:
    asked = repetition_of(run, request.GET, request.user)
    plan, reasons = _plan(asked)
    server = shlex.quote(server_of(request))
    agent = shlex.quote(request.build_absolute_uri(reverse("agent-file")))
    file = shlex.quote(request.build_absolute_uri(asked.address(reverse("run-again-plan", args=[run.id]))))
    root = plan is not None and needs_root(plan)
    where = "--work-dir work" if root else "--directory ."
    measure = f"BENCHAGENT_TOKEN={PLACEHOLDER} python3 {AGENT} run again.toml {where} --server {server}"
    article = _article(run)
    # The context of plans/again.html: a plan in TOML with its command lines, or None. `root`: the plan makes images.
    # `article_plan` is the address of the plan of the article that printed the figures, and the plan can be queued at
    # the address `queue`. `reasons` are why a file that the tool read can be in no plan. `planned` are the plan's
    # rounds and the targets beside that of the run in words, "" if the address asks for neither.
    return {
        "run": run,
        "title": title_of(run),
        "plan": plan,
        "root": root,
        "placeholder": PLACEHOLDER,
        "fetch": f"curl -fsSO {agent} && curl -fsS -o again.toml {file}",
        "measure": f"sudo {measure}" if root else measure,
        "command": command_line(run.command),
        "reasons": reasons,
        "campaign": announced(run.campaign_id, run, request.user).first() if run.campaign_id else None,
        "article_plan": reverse("article-plan", args=[article]) if article else None,
        "queue": f"{reverse('plan-new')}?{urlencode([('again', str(run.id)), *asked.query])}" if plan else None,
        "planned": _planned(asked),
        "section": "runs",
    }


def _plan(asked: Repetition) -> tuple[str | None, Sequence[str]]:
    """The plan, or the reasons why there is none."""
    try:
        return plan_again(asked.run, asked.beside, asked.rounds), ()
    except NoPlan as error:
        return None, error.reasons


def _planned(asked: Repetition) -> str:
    """`16 rounds, in turns with ext4`."""
    rounds = [plural(asked.rounds, "round")] if asked.rounds else []
    others = ", ".join(dict.fromkeys(run.target.file_system or "another target" for run in asked.beside))
    return ", ".join([*rounds, *([f"in turns with {others}"] if others else [])])


def _article(run: Run) -> str | None:
    """The slug of the article that printed the figures, if valid; an agent can write anything into the field."""
    publication = run.extra.get("publication")
    slug = publication.get("slug") if isinstance(publication, dict) else None
    return slug if isinstance(slug, str) and slug_re.match(slug) else None
