"""The own runs that are compared with an article's table, and the table for a run: by the article's plan first."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Q

from benchdb.compare.models import Permalink
from benchdb.compare.table.content import TableContent, cells
from benchdb.facts.options import settings_value
from benchdb.http.requests import Reader
from benchdb.publications.models import Publication, PublishedTable
from benchdb.runs.models import Run, RunState, RunStateQuerySet, Source
from benchdb.runs.quantities.reading import quantities_of

SEARCHED = 200  # newest runs with one of the tests
MOST_OWN = 48  # runs beside an article: the newest of each target and workload
MOST_RESULTS = 20_000  # of all of these runs
OF_ONE_TOOL = "run"  # the test of a whole program, which is other work for each tool
Figure = tuple[str, str]  # test and metric


def figures_of(table: TableContent) -> list[Figure]:
    """The test and metric of every figure in a table, each once."""
    placed_cells = (placed.cell for placed in cells(table) if placed.cell.test is not None)
    return list(dict.fromkeys((str(cell.test), cell.metric) for cell in placed_cells))


def tools_of(table: TableContent) -> set[str]:
    """The tools of a table's runs, without their versions."""
    return {line.tool.partition(" ")[0] for line in table.run_list}


def own_runs(publication: Publication, table: TableContent, reader: Reader) -> list[UUID]:
    """The newest measured or imported run of each target and workload with one of a table's tests, newest first.

    Those of the article's plan; others only if there are none. The reader's own runs, or all listed runs if the reader
    is not signed in. At most two queries.
    """
    states = RunState.objects.listed_for(reader).exclude(facets__source=Source.PUBLISHED)
    if reader.is_authenticated:
        states = states.filter(owner=reader)
    tests = {test for test, _ in figures_of(table)}
    of_tests = Q(facets__tests__overlap=[*tests - {OF_ONE_TOOL}])
    of_tool = Q(facets__tests__overlap=[*tests & {OF_ONE_TOOL}], run__tool__in=tools_of(table))
    states = states.filter(of_tests | of_tool)
    return _newest(states.filter(labels__plan__in=publication.plans)) or _newest(states)


def _newest(states: RunStateQuerySet) -> list[UUID]:
    facts = ("facets__machine", "facets__target", "run__tool", "run__parameters")
    rows = states.order_by("-run").values_list("run", "result_count", *facts)[:SEARCHED]
    newest: dict[tuple[object, ...], UUID] = {}
    left = MOST_RESULTS
    for run, results, *key, parameters in rows:
        if results <= left and newest.setdefault((*key, settings_value(parameters)), run) == run:
            left -= results
    return list(newest.values())[:MOST_OWN]


def table_for(run: Run) -> tuple[PublishedTable, TableContent] | None:
    """The table, and its content, with the most figures of what a run measured; None if there is none.

    Five queries. Tables of the article whose plan the run is of come first; among equal tables, the one with the fewest
    other figures, then the first of the article. Raises MustWait.
    """
    tables = {table.permalink_id: table for table in PublishedTable.objects.select_related("publication")}
    links = Permalink.objects.with_runs_now().filter(pk__in=list(tables))
    contents = {link.pk: link.shown for link in links if not link.gone}
    quantities = quantities_of([run.id], run.runstate.result_count)
    found = {
        (str(test), str(metric))
        for test, metric in quantities.combinations(("test", "metric"), quantities.everything())
    }
    plan = run.runstate.labels.get("plan")
    ranked = [
        ((plan in tables[key].publication.plans, len(shared), -len(figures), -tables[key].pk), tables[key], content)
        for key, content in contents.items()
        if isinstance(content, TableContent)
        and (figures := figures_of(content))
        and (shared := {each for each in figures if each in found and _is_alike(each, run, content)})
    ]
    return max(ranked, key=lambda each: each[0])[1:] if ranked else None


def _is_alike(figure: Figure, run: Run, table: TableContent) -> bool:
    return figure[0] != OF_ONE_TOOL or run.tool in tools_of(table)
