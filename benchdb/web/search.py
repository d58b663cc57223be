"""One box for all that has a name: models, kernels, machines, runs, articles, campaigns, permalinks.

Every word must stand in what is found, in any case. What is exactly an id is where it leads to.
"""

from __future__ import annotations

import re
from functools import reduce
from operator import and_, or_
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Count, F, Q, Value
from django.db.models.fields.json import KT
from django.urls import reverse

from benchdb.compare.models import Permalink
from benchdb.compare.permalinks import services as permalinks
from benchdb.ingest.contract.storable_text import storable
from benchdb.plans.models import Campaign
from benchdb.publications.models import Publication
from benchdb.runs.listing.counting import EXACT, say_count, with_words
from benchdb.runs.listing.table import arguments_of
from benchdb.runs.models import Run, RunState, Tombstone
from benchdb.wording.numbers import plural
from benchdb.wording.times import known_time

Context = dict[str, Any]

LONGEST = 200
MOST_WORDS = 10
EACH = 8  # lines of a section
ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)

# Parameter of the list of runs → what it is called, and where its value stands.
MODELS = {
    "cpu": ("CPU", "facets__environment__cpu_model"),
    "disk": ("disk", "facets__target__disk_model"),
    "kernel": ("kernel", "facets__environment__kernel_release"),
    "os": ("system", "facets__environment__os_name"),
    "file_system": ("file system", "facets__target__file_system"),
    "tool": ("tool", "facets__tool"),
}


def address_of(text: str, user: Any) -> str | None:
    """Where an id in the text leads: a run, a campaign, a permalink; None where it is no id that the reader may see."""
    if permalinks.ADDRESS.fullmatch(text) and Permalink.objects.filter(pk=text).exists():
        return reverse("permalink", args=[text])
    if (found := ID.search(text)) is None:
        return None
    chosen = UUID(found[0])
    if Run.objects.visible_to(user).filter(pk=chosen).exists() or Tombstone.objects.filter(pk=chosen).exists():
        return reverse("run", args=[chosen])
    if Campaign.objects.visible_to(user).filter(pk=chosen).exists():
        return reverse("campaign", args=[chosen])
    return None


def search(text: str, user: Any) -> Context:
    """`web/search.html`: sections that found something; the same number of queries whatever there is."""
    words = text.split()[:MOST_WORDS]
    sections = []
    if words and storable(text):
        found = (_models, _machines, _runs, _articles, _campaigns, _own_permalinks)
        sections = [section for find in found if (section := find(words, user))["lines"]]
    return {"search_text": text, "sections": sections, "searched": bool(words)}


def _all_in(words: list[str], *paths: str) -> Q:
    """Each word stands in one of the columns."""
    return reduce(and_, (reduce(or_, (Q(**{f"{path}__icontains": word}) for path in paths)) for word in words))


def _models(words: list[str], user: Any) -> Context:
    """Hardware, kernels and tools by the number of runs; one query."""
    listed = RunState.objects.listed_for(user).order_by()
    first, *others = [
        listed.filter(_all_in(words, path))
        .annotate(kind=Value(name), value=F(path))
        .values("kind", "value")
        .annotate(runs=Count("run"))
        for name, (_, path) in MODELS.items()
    ]
    found = first.union(*others, all=True).order_by("-runs", "value")[:EACH]
    lines = [
        _line(
            f"{reverse('runs')}?{urlencode({each['kind']: each['value']})}",
            each["value"],
            f"{MODELS[each['kind']][0]}, {plural(each['runs'], 'run')}",
        )
        for each in found
    ]
    return {"title": "Models, kernels, file systems", "lines": lines, "more": None}


def _machines(words: list[str], user: Any) -> Context:
    """Machines with runs that the reader may list, by name and CPU; one query."""
    listed = RunState.objects.listed_for(user)
    listed = listed.filter(_all_in(words, "facets__machine__name", "facets__environment__cpu_model"))
    by_machine = listed.values(machine=F("facets__machine"), name=F("facets__machine__name")).annotate(
        runs=Count("run")
    )
    found = by_machine.order_by("name", "machine")[:EACH]
    lines = [
        _line(reverse("machine", args=[each["machine"]]), each["name"], plural(each["runs"], "run")) for each in found
    ]
    return {"title": "Machines", "lines": lines, "more": None}


def _runs(words: list[str], user: Any) -> Context:
    """The newest runs in which all words stand somewhere, and how many there are; three queries, or one."""
    # Their ids first: where few runs match, PostgreSQL would go through all runs from the newest to find them.
    rows = list(with_words(words).values_list("pk", flat=True))
    states = RunState.objects.listed_for(user).filter(facets__in=rows).order_by("-run")
    count = states[: EXACT + 1].count()
    with_run = states.select_related("run__machine", "run__environment", "run__target")
    lines = [_run_line(state.run) for state in with_run.defer("run__rounds", "run__extra", "run__parameters")[:EACH]]
    more = {
        "text": f"All {say_count(count)} runs that match",
        "href": f"{reverse('runs')}?{urlencode({'q': ' '.join(words)})}",
    }
    return {"title": "Runs", "lines": lines, "more": more if count > EACH else None}


def _run_line(run: Run) -> Context:
    at = known_time(run.started_at, run.finished_at)
    parts = (arguments_of(run), run.machine.name, run.environment.kernel_release or "kernel unknown")
    where = ", ".join(filter(None, parts))
    return _line(run.get_absolute_url(), f"{run.tool} on {run.target.file_system or 'unknown'}", where, at)


def _articles(words: list[str], user: Any) -> Context:
    found = Publication.objects.filter(_all_in(words, "title", "authors", "citation", "slug"))[:EACH]
    lines = [_line(reverse("article", args=[each.slug]), each.title, f"{each.authors}, {each.year}") for each in found]
    return {"title": "Articles", "lines": lines, "more": None}


def _campaigns(words: list[str], user: Any) -> Context:
    listed = Campaign.objects.listed_for(user).filter(_all_in(words, "plan_name", "machine__name"))
    fields = listed.order_by("-id").values("pk", "plan_name", "machine__name", "started_at")[:EACH]
    lines = [
        _line(
            reverse("campaign", args=[each["pk"]]), each["plan_name"], f"on {each['machine__name']}", each["started_at"]
        )
        for each in fields
    ]
    return {"title": "Campaigns", "lines": lines, "more": None}


def _own_permalinks(words: list[str], user: Any) -> Context:
    """By title; nobody finds another's, whose address is known to whom it was given."""
    lines = []
    if user.is_authenticated:
        own = Permalink.objects.filter(owner=user, revoked_at=None).annotate(title=KT("content__title"))
        fields = own.filter(_all_in(words, "title")).order_by("-created_at").values("pk", "title", "kind", "created_at")
        lines = [
            _line(reverse("permalink", args=[each["pk"]]), each["title"], each["kind"], each["created_at"])
            for each in fields[:EACH]
        ]
    return {
        "title": "My permalinks",
        "lines": lines,
        "more": {"text": "All my permalinks", "href": reverse("permalinks")},
    }


def _line(href: str, text: str, note: str, at: Any = None) -> Context:
    return {"href": href, "text": text, "note": note, "at": at}
