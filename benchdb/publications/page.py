"""The contexts of the pages of articles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Count, F, Q
from django.urls import reverse

from benchdb.compare.models import Permalink
from benchdb.compare.page_parts.export_links import export_links
from benchdb.compare.table import present
from benchdb.plans.agent_words import AGENT, PLACEHOLDER
from benchdb.plans.reading import shipped_text
from benchdb.runs.models import Run
from benchdb.wording.numbers import plural
from benchdb.wording.sizes import unbroken

from .models import Publication, PublishedRun
from .observations import answered
from .page_files import TableFile, page_file

Context = dict[str, Any]

BY_HAND = "hand"
EXPORTS = ("csv", "json")  # beside a table on the page; its own page has all


def listed() -> list[Context]:
    """The articles, for publications/list.html and the home page; one query."""
    current = Q(runs__results__parse=F("runs__runstate__current_parse"))
    found = Publication.objects.annotate(figures=Count("runs__results", filter=current)).order_by("ordinal")
    return [
        {
            "slug": each.slug,
            "title": each.title,
            "href": reverse("article", args=[each.slug]),
            "authors": each.authors,
            "year": each.year,
            "compared": dict(each.about).get("Compared", ""),
            "figures": plural(each.figures, "figure") if each.figures else "no figures",
            "notes": plural(len(each.notes), "note") if each.notes else "",
        }
        for each in found
    ]


def article(publication: Publication) -> Context:
    """`publications/article.html`; three queries, however many tables and runs there are."""
    file = page_file(publication.slug)
    links = _permalinks(publication)
    contents = {key: (link.shown, link.get_absolute_url()) for key, link in links.items()}
    observations = answered(file.observations, contents)
    there = [(table, *contents[table.key]) for table in file.tables if table.key in contents]
    return {
        "section": "articles",
        "publication": publication,
        "facts": [{"term": term, "value": text, "provenance": None} for term, text in publication.about],
        "observations": observations,
        "tested": any(each["kind"] != "untested" for each in observations),
        "tables": [_table(*each) for each in there if each[0].inline],
        "others": [{"title": table.title, "href": href} for table, _, href in there if not table.inline],
        "notes": notes(publication.notes),
        "checked": checked(publication.notes),
        "runs": _runs(publication),
        "plan": reverse("article-plan", args=[publication.slug]),
    }


def _permalinks(publication: Publication) -> dict[str, Permalink]:
    """The frozen tables by key, without those of which nothing is left; two queries."""
    keys = dict(publication.tables.values_list("permalink_id", "key"))
    found = Permalink.objects.with_runs_now().filter(pk__in=keys)
    return {keys[link.pk]: link for link in found if not link.gone}


def _table(table: TableFile, content: Mapping[str, Any], address: str) -> Context:
    """One table in its article: numbers lead to the permalink's cells, whose panels answer."""
    shown = present.show_table(content)
    for group in shown["groups"]:
        for row in group["rows"]:
            for cell in row["cells"]:
                if cell.get("href"):
                    cell["href"] = f"{address}#{cell['anchor']}"
                cell.update(detail=None, anchor=None)
    exports = export_links(lambda form: f"{address.rstrip('/')}.{form}")
    return {
        "key": table.key,
        "title": unbroken(content["title"]),
        "href": address,
        "table": {**shown, "id": table.key, "label": content["title"], "details": {}},
        "notes": [*([table.note] if table.note else [])],
        "exports": [each for each in exports if each["text"].lower() in EXPORTS],
    }


def _runs(publication: Publication) -> list[Context]:
    """The runs that hold the figures, as they are called in the data file; one query."""
    found = publication.published_runs.values_list("key", "run_id")
    return [{"label": key, "href": reverse("run", args=[run])} for key, run in found]


def notes(found: Sequence[Mapping[str, Any]]) -> list[Context]:
    """Where an article contradicts itself: what is printed, what is against it, and who saw it."""
    return [
        {
            "where": unbroken(each["where"]),
            "printed": unbroken(each["printed"]),
            "says": unbroken(each["says"]),
            "found_by": ", ".join("read by hand" if by == BY_HAND else f"{by} check" for by in each["found_by"]),
            "by_hand": list(each["found_by"]) == [BY_HAND],
        }
        for each in found
    ]


def checked(found: Sequence[Mapping[str, Any]]) -> str | None:
    """How many of the notes BenchDB's own checks found by themselves."""
    if not found:
        return None
    own = sum(any(by != BY_HAND for by in each["found_by"]) for each in found)
    return f"BenchDB’s own checks found {own} of {plural(len(found), 'note')} by themselves; people read the others."


def plan(publication: Publication, server: str, agent: str) -> Context:
    """`publications/plan.html`: the shipped plan that repeats the experiment, and the lines that run it.

    `server` and `agent` are addresses, quoted for a shell.
    """
    small = f"{publication.plan}-small"
    text = shipped_text(publication.plan) or ""
    names = [name for name in (publication.plan, small) if shipped_text(name)]
    return {
        "section": "articles",
        "publication": publication,
        "placeholder": PLACEHOLDER,
        "fetch": f"curl -fsSO {agent}",
        "runs": [_run_line(name, server) for name in reversed(names)],
        "check": f"python3 {AGENT} plan check {publication.plan}",
        "text": text,
        "queue": f"{reverse('plan-new')}?plan={publication.plan}",
        "article": reverse("article", args=[publication.slug]),
    }


def _run_line(name: str, server: str) -> Context:
    """A line that runs a plan; as root, because its targets are images that it formats and mounts."""
    return {
        "name": name,
        "small": name.endswith("-small"),
        "command": f"sudo BENCHAGENT_TOKEN={PLACEHOLDER} python3 {AGENT} run {name} --work-dir . --server {server}",
    }


def newest(runs: Any) -> list[Run]:
    """The newest runs that are no article's, for the home page; one query."""
    # Not `published=None`: PostgreSQL believes that of an outer join none is left, and reads and sorts all runs.
    own = runs.exclude(pk__in=PublishedRun.objects.values("run")).with_context().defer("rounds", "extra")
    return list(own.order_by("-id")[:10])
