"""Search for models, kernels, machines, runs, articles, campaigns and permalinks in one box.

A match contains every word, in upper or lower case. An id leads straight to its page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import reduce
from operator import and_, or_
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Count, F, Q, Value
from django.db.models.fields.json import KT
from django.urls import reverse

from benchdb.compare.models import Permalink
from benchdb.compare.permalinks import services as permalinks
from benchdb.http.requests import Reader
from benchdb.ingest.contract.storable_text import storable
from benchdb.plans.models import Campaign
from benchdb.publications.models import Publication
from benchdb.runs.listing.counting import EXACT, say_count, with_words
from benchdb.runs.listing.table import workload_of
from benchdb.runs.models import Run, RunState, Tombstone
from benchdb.wording.numbers import plural
from benchdb.wording.times import known_time

LONGEST = 200
MOST_WORDS = 10
MOST_LINES = 8  # in a section
ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)

# Parameter of the list of runs → its label, and the path of its column.
MODELS = {
    "cpu": ("CPU", "facets__environment__cpu_model"),
    "disk": ("disk", "facets__target__disk_model"),
    "kernel": ("kernel", "facets__environment__kernel_release"),
    "os": ("system", "facets__environment__os_name"),
    "file_system": ("file system", "facets__target__file_system"),
    "tool": ("tool", "facets__tool"),
}


@dataclass(frozen=True, slots=True)
class FoundLine:
    """A match: a link with a note, and its time if it has one."""

    href: str
    text: str
    note: str
    at: datetime | date | str | None = None


@dataclass(frozen=True, slots=True)
class FurtherMatches:
    """A link to all matches of a section."""

    text: str
    href: str


@dataclass(frozen=True, slots=True)
class FoundSection:
    """The matches of one kind."""

    title: str
    lines: Sequence[FoundLine]
    more: FurtherMatches | None = None


@dataclass(frozen=True, slots=True)
class SearchPage:
    """The context of web/search.html; `searched` is False for a text without words."""

    search_text: str
    sections: Sequence[FoundSection]
    searched: bool


def address_of(text: str, user: Reader) -> str | None:
    """The address of the run, campaign or permalink whose id is in the text; None if the reader may not see it."""
    if permalinks.ADDRESS.fullmatch(text) and Permalink.objects.filter(pk=text).exists():
        return reverse("permalink", args=[text])
    if (match := ID.search(text)) is None:
        return None
    chosen = UUID(match[0])
    if Run.objects.visible_to(user).filter(pk=chosen).exists() or Tombstone.objects.filter(pk=chosen).exists():
        return reverse("run", args=[chosen])
    if Campaign.objects.visible_to(user).filter(pk=chosen).exists():
        return reverse("campaign", args=[chosen])
    return None


def search(text: str, user: Reader) -> SearchPage:
    """The sections that have matches. The number of queries is constant."""
    words = text.split()[:MOST_WORDS]
    sections = []
    if words and storable(text):
        searches = (_models, _machines, _runs, _articles, _campaigns, _own_permalinks)
        sections = [section for find in searches if (section := find(words, user)).lines]
    return SearchPage(text, sections, searched=bool(words))


def _all_in(words: list[str], *paths: str) -> Q:
    """The condition that each word is in one of the columns."""
    return reduce(and_, (reduce(or_, (Q(**{f"{path}__icontains": word}) for path in paths)) for word in words))


def _models(words: list[str], user: Reader) -> FoundSection:
    """Hardware, kernels and tools by the number of runs; one query."""
    listed = RunState.objects.listed_for(user).order_by()
    first, *others = [
        listed.filter(_all_in(words, path))
        .annotate(kind=Value(name), value=F(path))
        .values("kind", "value")
        .annotate(runs=Count("run"))
        for name, (_, path) in MODELS.items()
    ]
    models = first.union(*others, all=True).order_by("-runs", "value")[:MOST_LINES]
    lines = [
        FoundLine(
            f"{reverse('runs')}?{urlencode({model['kind']: model['value']})}",
            model["value"],
            f"{MODELS[model['kind']][0]}, {plural(model['runs'], 'run')}",
        )
        for model in models
    ]
    return FoundSection("Models, kernels, file systems", lines)


def _machines(words: list[str], user: Reader) -> FoundSection:
    """Machines with runs that the reader may list, by name and CPU; one query."""
    listed = RunState.objects.listed_for(user)
    listed = listed.filter(_all_in(words, "facets__machine__name", "facets__environment__cpu_model"))
    by_machine = listed.values(machine=F("facets__machine"), name=F("facets__machine__name")).annotate(
        runs=Count("run")
    )
    machines = by_machine.order_by("name", "machine")[:MOST_LINES]
    lines = [
        FoundLine(reverse("machine", args=[row["machine"]]), row["name"], plural(row["runs"], "run"))
        for row in machines
    ]
    return FoundSection("Machines", lines)


def _runs(words: list[str], user: Reader) -> FoundSection:
    """The newest runs that contain all words, and their number; three queries, or one."""
    # Ids first: if few runs match, PostgreSQL would scan all runs from the newest to find them.
    rows = list(with_words(words).values_list("pk", flat=True))
    states = RunState.objects.listed_for(user).filter(facets__in=rows).order_by("-run")
    count = states[: EXACT + 1].count()
    with_run = states.select_related("run__machine", "run__environment", "run__target")
    lines = [_run_line(state.run) for state in with_run.defer("run__rounds", "run__extra")[:MOST_LINES]]
    href = f"{reverse('runs')}?{urlencode({'q': ' '.join(words)})}"
    more = FurtherMatches(f"All {say_count(count)} runs that match", href)
    return FoundSection("Runs", lines, more if count > MOST_LINES else None)


def _run_line(run: Run) -> FoundLine:
    at = known_time(run.started_at, run.finished_at)
    parts = (workload_of(run), run.machine.name, run.environment.kernel_release or "kernel unknown")
    where = ", ".join(filter(None, parts))
    return FoundLine(run.get_absolute_url(), f"{run.tool} on {run.target.file_system or 'unknown'}", where, at)


def _articles(words: list[str], user: Reader) -> FoundSection:
    articles = Publication.objects.filter(_all_in(words, "title", "authors", "citation", "slug"))[:MOST_LINES]
    lines = [
        FoundLine(reverse("article", args=[article.slug]), article.title, f"{article.authors}, {article.year}")
        for article in articles
    ]
    return FoundSection("Articles", lines)


def _campaigns(words: list[str], user: Reader) -> FoundSection:
    listed = Campaign.objects.listed_for(user).filter(_all_in(words, "plan_name", "machine__name"))
    fields = listed.order_by("-id").values("pk", "plan_name", "machine__name", "started_at")[:MOST_LINES]
    lines = [
        FoundLine(
            reverse("campaign", args=[row["pk"]]), row["plan_name"], f"on {row['machine__name']}", row["started_at"]
        )
        for row in fields
    ]
    return FoundSection("Campaigns", lines)


def _own_permalinks(words: list[str], user: Reader) -> FoundSection:
    """The reader's own permalinks, by title; others are reachable only by their address."""
    lines = []
    if user.is_authenticated:
        permalinks = Permalink.objects.filter(owner=user, revoked_at=None).annotate(title=KT("content__title"))
        fields = (
            permalinks.filter(_all_in(words, "title"))
            .order_by("-created_at")
            .values("pk", "title", "kind", "created_at")
        )
        lines = [
            FoundLine(reverse("permalink", args=[link["pk"]]), link["title"], link["kind"], link["created_at"])
            for link in fields[:MOST_LINES]
        ]
    return FoundSection("My permalinks", lines, FurtherMatches("All my permalinks", reverse("permalinks")))
