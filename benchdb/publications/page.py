"""The contexts of the pages of articles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.db.models import Count, F, Q
from django.urls import reverse

from benchdb.compare.kind import PageOptions
from benchdb.compare.models import Permalink
from benchdb.compare.page_parts.export_menu import export_links
from benchdb.compare.table import present
from benchdb.compare.table.charts.shown import show_figures
from benchdb.compare.table.content import TableContent
from benchdb.compare.table.grid import grid_of
from benchdb.plans.command_lines import AGENT, PLACEHOLDER
from benchdb.plans.plan_texts import shipped_text
from benchdb.runs.cells.cell_context import ShownCell
from benchdb.runs.facts.terms import fact
from benchdb.wording.numbers import plural
from benchdb.wording.sizes import unbroken

from .data_files import generated
from .dataset import dataset_of_article
from .models import BY_HAND, Publication
from .page_files import TableFile, page_file
from .places import Facts

SHOWN = 6  # lines of one observation
EXPORTS = ("csv", "json")  # beside a table on the page; the permalink's page has all formats


def listed() -> list[dict[str, object]]:
    """The articles, for publications/list.html and the home page; one query."""
    current = Q(runs__results__parse=F("runs__runstate__current_parse"))
    publications = Publication.objects.annotate(figures=Count("runs__results", filter=current)).order_by("ordinal")
    # An article of publications/articles.html; `figures` and `notes` are numbers in words, `notes` empty for
    # none.
    return [
        {
            "slug": publication.slug,
            "title": publication.title,
            "href": reverse("article", args=[publication.slug]),
            "authors": publication.authors,
            "year": publication.year,
            "compared": dict(publication.about).get("Compared", ""),
            "figures": plural(publication.figures, "figure") if publication.figures else "no figures",
            "notes": plural(found, "contradiction")
            if (found := sum(not note["remark"] for note in publication.notes))
            else "",
        }
        for publication in publications
    ]


def article(publication: Publication, site: str) -> dict[str, object]:
    """`publications/article.html` on this site; three queries, however many tables and runs there are."""
    file = page_file(publication.slug)
    links = _permalinks(publication)
    contents = {
        key: (link.shown, link.get_absolute_url())
        for key, link in links.items()
        if isinstance(link.shown, TableContent)
    }
    observations = _observations(publication.slug, links)
    frozen = [(table, *contents[table.key]) for table in file.tables if table.key in contents]
    # The context of publications/article.html. `tested` tells whether any answer rests on a test; `checked` is a
    # sentence about the checks, None without notes. `notes` are contradictions, `remarks` are ours about the article;
    # `data` is the address of all this as JSON, and `dataset` the schema.org Dataset, as JSON-LD.
    return {
        "publication": publication,
        "facts": [fact(term, text) for term, text in publication.about],
        "observations": observations,
        "tested": any(each["kind"] != "untested" for each in observations),
        "tables": [_table(publication, table, content, href) for table, content, href in frozen if table.inline],
        "others": [
            {"title": table.title, "href": href, "beside": _beside(publication, table)}
            for table, _, href in frozen
            if not table.inline
        ],
        "notes": notes(publication.notes, remarks=False),
        "remarks": notes(publication.notes, remarks=True),
        "checked": checked(publication),
        "statements": statements(publication.statements),
        "data": reverse("article-data", args=[publication.slug]),
        "runs": _runs(publication),
        "plan": reverse("article-plan", args=[publication.slug]),
        "dataset": dataset_of_article(publication, [(table.title, *contents[table.key]) for table, *_ in frozen], site),
        "section": "articles",
    }


def _observations(slug: str, links: Mapping[str, Permalink]) -> list[Facts]:
    """The observations of the author with their answers, without those about a table whose run was deleted."""
    # `first` and `more` are the lines of publications/lines.html, the second ones folded.
    return [
        {
            **answer,
            "text": unbroken(observation["text"]),
            "address": link.get_absolute_url(),
            "table": link.shown.title,
            "first": answer["lines"][:SHOWN],
            "more": answer["lines"][SHOWN:],
        }
        for observation, answer in zip(page_file(slug).observations, generated(slug)["answers"], strict=True)
        if (link := links.get(observation["table"])) and not link.deleted
    ]


def _permalinks(publication: Publication) -> dict[str, Permalink]:
    """The frozen tables by key, without those that are gone; two queries."""
    keys = dict(publication.tables.values_list("permalink_id", "key"))
    links = Permalink.objects.with_runs_now().filter(pk__in=keys)
    return {keys[link.pk]: link for link in links if not link.gone}


def frozen_tables(publication: Publication) -> dict[str, TableContent]:
    """The tables of an article by key, without those that are gone; two queries."""
    contents = {key: link.shown for key, link in _permalinks(publication).items()}
    return {key: content for key, content in contents.items() if isinstance(content, TableContent)}


def _table(publication: Publication, table: TableFile, content: TableContent, address: str) -> dict[str, object]:
    """One table in its article; numbers link to the cells of the permalink."""
    shown = present.show_table(grid_of(content), PageOptions())
    groups = [
        replace(group, rows=[replace(row, cells=[_linked(cell, address) for cell in row.cells]) for row in group.rows])
        for group in shown.groups
    ]
    exports = export_links(lambda form: f"{address.rstrip('/')}.{form}")
    # A table in its article; `href` is the permalink's, `beside` leads to the comparison with own runs. `chart` draws
    # its figures; None if they are fewer than two, or too many.
    return {
        "key": table.key,
        "title": unbroken(content.title),
        "href": address,
        "beside": _beside(publication, table),
        "table": replace(shown, id=table.key, groups=groups),
        "chart": show_figures(grid_of(content), address),
        "notes": [table.note] if table.note else [],
        "exports": [link for link in exports if link.label.lower() in EXPORTS],
    }


def _beside(publication: Publication, table: TableFile) -> str:
    return reverse("article-beside", args=[publication.slug, table.key])


def _linked(cell: ShownCell, address: str) -> ShownCell:
    """The cell with a link to the same cell of the permalink at this address."""
    href = f"{address}#{cell.anchor}" if cell.href else None
    return replace(cell, href=href, detail=None, anchor=None)


def _runs(publication: Publication) -> list[dict[str, object]]:
    """The runs with the figures, by their keys in the data file; one query."""
    runs = publication.published_runs.values_list("key", "run_id")
    return [{"label": key, "href": reverse("run", args=[run])} for key, run in runs]


def notes(entries: Sequence[Facts], *, remarks: bool) -> list[dict[str, object]]:
    """The contradictions in an article, or our remarks: the printed text, what is against it, and who found it."""
    return [
        # A line of publications/notes.html; `found_by` names the checks, or says that people read it.
        {
            "where": unbroken(note["where"]),
            "printed": unbroken(note["printed"]),
            "says": unbroken(note["says"]),
            "found_by": ", ".join("read by hand" if by == BY_HAND else f"{by} check" for by in note["found_by"]),
            "evidence": [{"text": each["text"], "statements": each["statements"]} for each in note["findings"]],
        }
        for note in entries
        if note["remark"] is remarks
    ]


def checked(publication: Publication) -> str | None:
    """Sentences about the work of people and of checks: what was entered, compared and found."""
    contradictions = [note for note in publication.notes if not note["remark"]]
    if not contradictions:
        return None
    findings = [each for each in publication.findings if each["statements"] and each["check"] != "cache"]
    against = len({each["text"] for note in contradictions for each in note["findings"]})
    read_by_hand = sum(BY_HAND in note["found_by"] for note in contradictions)
    others = f"; people found {read_by_hand} more" if read_by_hand else ""
    entered, compared = (
        plural(len(statements(publication.statements)), "statement"),
        plural(len(findings), "comparison"),
    )
    return (
        f"People entered {entered} of the text; BenchDB combined them with each other and with the figures of the "
        f"tables in {compared} and found {plural(against, 'contradiction')} with "
        f"{plural(len(contradictions) - read_by_hand, 'cause')}{others}. Values that differ but can all be right are "
        "among the remarks."
    )


def statements(entries: Sequence[Facts]) -> list[dict[str, object]]:
    """The statements of the text, one for each object."""
    return [
        # What the article says in its text, with the line; `of` is `rate of sdc1 / hdparm`.
        {
            "of": f"{entry['quantity']} of {name}",
            "value": entry["value"],
            "line": entry["line"],
            "quote": entry["quote"],
        }
        for entry in entries
        for name in ([entry["object"]] if isinstance(entry["object"], str) else entry["object"])
    ]


def plan(publication: Publication, server: str, agent: str) -> dict[str, object]:
    """`publications/plan.html`: the shipped plan that repeats the experiment, and the commands that run it.

    `server` and `agent` are addresses, quoted for a shell.
    """
    text = shipped_text(publication.plan) or ""
    names = [name for name in publication.plans if shipped_text(name)]
    # The context of publications/plan.html; `text` is the plan, `queue` the address where it can be queued.
    return {
        "publication": publication,
        "placeholder": PLACEHOLDER,
        "fetch": f"curl -fsSO {agent}",
        "runs": [_run_line(name, server) for name in reversed(names)],
        "check": f"python3 {AGENT} plan check {publication.plan}",
        "text": text,
        "queue": f"{reverse('plan-new')}?plan={publication.plan}",
        "article": reverse("article", args=[publication.slug]),
        "section": "articles",
    }


def _run_line(name: str, server: str) -> dict[str, object]:
    """A command that runs a plan, as root because the plan formats and mounts images."""
    command = f"sudo BENCHAGENT_TOKEN={PLACEHOLDER} python3 {AGENT} run {name} --work-dir . --server {server}"
    # The command that runs a plan; `name` is the plan's.
    return {"name": name, "command": command}
