"""The context of the page of a component."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from django.urls import reverse

from benchdb.catalog.models import Machine
from benchdb.http.requests import Reader
from benchdb.publications.models import Publication
from benchdb.runs.listing.columns import USUAL
from benchdb.runs.listing.headlines import kept_overviews
from benchdb.runs.listing.query import RunListQuery
from benchdb.runs.listing.search import RunPage, of_rows
from benchdb.runs.listing.table import address, runs_table
from benchdb.runs.models import Run, RunState
from benchdb.wording.numbers import plural
from benchdb.wording.times import known_time

from .distribution import distribution
from .kinds import KINDS, KindDescription
from .listed_runs import ListedRuns, Mask, listed_runs
from .main_results import main_results
from .neighbours import Neighbour, neighbours
from .pairs import MOST_RUNS, find_pairs

NEWEST = 10  # runs
MOST_NEIGHBOURS = 12
MAIN_METRICS = ("throughput", "rate", "elapsed")  # rows of others are folded


def component_page(key: str, name: str, reader: Reader) -> dict[str, object] | None:
    """The page of a component; None if no run that the reader may list has it."""
    kind, listed = KINDS[key], listed_runs(reader)
    found = ((each, listed.having(kind, each)) for each in kind.identities(name))
    identity, own = next(((each, mask) for each, mask in found if mask.any()), ((), None))
    if own is None:
        return None
    newest = _newest(reader, listed, own)
    if not newest:  # deleted meanwhile
        return None
    latest = max(newest, key=lambda run: run.started_at)
    pairs = find_pairs(reader, listed, kind, own)
    beside = list(dict.fromkeys(pair.against for pair in pairs.pairs))
    results = main_results(
        {run: pairs.results[run] for run in (*pairs.runs, *beside)}, {*beside, *(pair.run for pair in pairs.pairs)}
    )
    rows = distribution(results, len(pairs.runs))
    others = neighbours(pairs.pairs, results)
    machines = machines_of(listed, own)
    tools = len(listed.by_value("tool", own))
    query = kind.query(identity)
    # The context of components/component.html. `drawn` says which runs the distribution has, "" for all. `unclear`
    # counts workloads left out of the pairs; `further` counts neighbours that are not shown. `others` is the plural of
    # `noun`.
    return {
        "title": {"parts": [kind.say(identity), kind.noun]},
        "noun": kind.noun,
        "others": kind.plural,
        "all": reverse("components", args=[key]),
        "tally": f"{plural(int(listed.runs[own].sum()), 'run')} on {plural(len(machines), 'machine')} with "
        f"{plural(tools, 'tool')}",
        "latest": known_time(latest.started_at, latest.finished_at),
        "list": address(query.pairs()),
        "measured_with": measured_with(listed, own, kind, machines),
        "drawn": f"the newest {plural(MOST_RUNS, 'run')}"
        if len(pairs.runs) == MOST_RUNS
        else f"{len(pairs.runs)} of these"
        if len(pairs.runs) < listed.runs[own].sum()
        else "",
        "rows": [row for row in rows if row["metric"] in MAIN_METRICS],
        "further_rows": [row for row in rows if row["metric"] not in MAIN_METRICS],
        "compared": kind.page.compared,
        "neighbours": [_shown(kind, each, first=not place) for place, each in enumerate(others[:MOST_NEIGHBOURS])],
        "further": len(others[MOST_NEIGHBOURS:]),
        "unclear": plural(pairs.unclear, "workload") if pairs.unclear else "",
        "articles": _articles(listed, own, query),
        "runs": _runs_table(newest, query),
        "section": "runs",
    }


def _newest(reader: Reader, listed: ListedRuns, own: Mask) -> list[Run]:
    """The newest runs, whole; two queries."""
    states = of_rows(RunState.objects.listed_for(reader), listed.ids[own].tolist())
    ids = list(states.order_by("-run").values_list("run", flat=True)[:NEWEST])
    runs = Run.objects.listed_for(reader).with_context().defer("rounds", "extra").in_bulk(ids)
    return [runs[run] for run in ids if run in runs]


def _shown(kind: KindDescription, neighbour: Neighbour, *, first: bool) -> dict[str, object]:
    machines = plural(neighbour.machines, "machine")
    pair = [("run", str(neighbour.newest.against)), ("run", str(neighbour.newest.run))]
    rows = [] if kind.key == "file_system" else [("rows", ",".join(kind.facets))]
    # A neighbour: `pairs` in words; `table` compares the newest pair.
    return {
        "text": kind.say(neighbour.identity),
        "href": kind.address(neighbour.identity),
        "pairs": f"{plural(neighbour.pairs, 'pair')} on {machines}",
        "table": f"{reverse('compare')}?{urlencode([*pair, *rows], safe=',')}",
        "rows": neighbour.rows,
        "open": first,
    }


def _articles(listed: ListedRuns, own: Mask, query: RunListQuery) -> list[dict[str, object]]:
    """The articles with figures of the component, those with the most first; one query."""
    runs_of = {slug: runs for slug, runs in listed.by_value("article", own) if slug is not None}
    publications = Publication.objects.only("slug", "title", "authors", "year").in_bulk(list(runs_of))
    return [
        # An article with figures of the component; `runs` leads to them.
        {
            "title": publications[slug].title,
            "href": reverse("article", args=[slug]),
            "authors": f"{publications[slug].authors}, {publications[slug].year}",
            "runs": plural(runs, "run"),
            "runs_href": address(RunListQuery(facets={**query.facets, "article": (slug,)}).pairs()),
        }
        for slug, runs in runs_of.items()
        if slug in publications
    ]


def _runs_table(newest: list[Run], query: RunListQuery) -> dict[str, object]:
    """The newest runs; heads order all runs of the component."""
    return runs_table(RunPage(newest, ""), kept_overviews(newest), RunListQuery(facets=query.facets, columns=USUAL))


MOST_VALUES = 8  # of a kind


def machines_of(listed: ListedRuns, own: Mask) -> list[tuple[Machine, int]]:
    """The machines with their runs, those with the most first; one query."""
    runs_of = [(int(machine or 0), runs) for machine, runs in listed.by_value("machine", own)]
    machines = Machine.objects.only("name").in_bulk([machine for machine, _ in runs_of])
    return [(machines[machine], runs) for machine, runs in runs_of if machine in machines]


def measured_with(
    listed: ListedRuns, own: Mask, kind: KindDescription, machines: Sequence[tuple[Machine, int]]
) -> list[dict[str, object]]:
    """The machines, and the components of each other kind, those with the most runs first."""
    links: list[dict[str, object]] = [
        {"text": machine.name, "href": reverse("machine", args=[machine.pk]), "runs": plural(runs, "run")}
        for machine, runs in machines
    ]
    found = [_most("machines", links)]
    for other in KINDS.values():
        if other is not kind:
            counted = listed.count(other, own)
            of_kind: list[dict[str, object]] = [
                {
                    "text": other.say(each.identity),
                    "href": other.address(each.identity),
                    "runs": plural(each.runs, "run"),
                }
                for each in counted
            ]
            found.append(_most(other.plural, of_kind))
    return found


def _most(term: str, links: Sequence[dict[str, object]]) -> dict[str, object]:
    return {"term": term, "links": links[:MOST_VALUES], "more": len(links[MOST_VALUES:])}
