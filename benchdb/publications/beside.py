"""Published figures next to own measurements: an article's table and runs of the same tests in one comparison."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

import numpy as np
from django.db.models import Q
from django.urls import reverse

from benchdb.compare.models import Permalink
from benchdb.compare.query.dimensions import dimension, settings_value
from benchdb.compare.query.file_to_memory import usable_memory
from benchdb.compare.query.selection import MOST_RUNS
from benchdb.compare.table.complete import in_words
from benchdb.compare.table.content import TableContent, cells
from benchdb.http.requests import Reader
from benchdb.runs.cells.cell import Cell
from benchdb.runs.costs import before_quantities, before_quantities_of
from benchdb.runs.models import Run, RunState, Source
from benchdb.runs.quantities.columns import BoolArray, Quantities
from benchdb.runs.quantities.reading import quantities_of

from .common_sizes import Sizes, common_sizes
from .models import PublishedTable

SEARCHED = 200  # newest runs with one of the tests
MOST_SIZES = 50  # values of a dimension in an address; of more, the comparison chooses
MOST_OWN = 12  # runs beside an article: the newest of each target and workload
OF_ONE_TOOL = "run"  # the test of a whole program, which is other work for each tool
Figure = tuple[str, str]  # test and metric


@dataclass(frozen=True)
class Beside:
    """The runs of an article's table and others with some of its figures, the common figures, and the sizes shown."""

    published: Sequence[UUID]
    runs: Sequence[UUID]
    figures: Sequence[Figure]
    sizes: Sizes

    @property
    def address(self) -> str:
        """The comparison with both: rows for what differs, and the common tests as columns."""
        metrics = list(dict.fromkeys(metric for _, metric in self.figures))
        pairs = [("run", str(run)) for run in [*self.published, *self.runs][:MOST_RUNS]]
        pairs += [("columns", "test,metric")] if len(metrics) > 1 else []
        pairs += [("test", test) for test in dict.fromkeys(test for test, _ in self.figures)]
        pairs += [("metric", metric) for metric in metrics]
        few = {name: values for name, values in self.sizes.values.items() if len(values) <= MOST_SIZES}
        pairs += [(name, dimension(name).parameter(value)) for name, values in few.items() for value in values]
        return f"{reverse('compare')}?{urlencode(pairs, safe=',:/')}"


def figures_of(table: TableContent) -> list[Figure]:
    """The test and metric of every figure in a table, each once."""
    placed_cells = (placed.cell for placed in cells(table) if placed.cell.test is not None)
    return list(dict.fromkeys((str(cell.test), cell.metric) for cell in placed_cells))


def tools_of(table: TableContent) -> set[str]:
    """The tools of a table's runs, without their versions."""
    return {line.tool.partition(" ")[0] for line in table.run_list}


def beside(table: TableContent, runs: Sequence[UUID]) -> Beside | None:
    """The table and those of these runs that share the most figures with it; None if none of them shares one.

    Two queries.
    """
    quantities = in_words(quantities_of(runs))
    wanted = figures_of(table)
    shared = shared_figures(quantities, table)
    if not shared:
        return None
    most = max(map(len, shared.values()))
    best = [run for run in runs if len(shared.get(run, ())) == most]
    common = set.intersection(*(shared[run] for run in best))
    figures = [figure for figure in wanted if figure in (common or set.union(*(shared[run] for run in best)))]
    having = [placed.cell for placed in cells(table) if (placed.cell.test, placed.cell.metric) in figures]
    own = _having(quantities, figures, tools_of(table)) & _of_runs(quantities, best)
    known = {run.id: run for run in Run.objects.with_context().filter(pk__in=[*map(UUID, table.runs), *best])}
    sizes = common_sizes(having, quantities, own, {run: usable_memory(known[run]) for run in known})
    with_sizes = _runs_with(quantities, sizes.own)
    shown = sorted([run for run in best if run in with_sizes][:MOST_OWN])
    return Beside(_published(sizes.published, [known[run] for run in shown], known), shown, figures, sizes)


def _published(cells: Sequence[Cell], own: Sequence[Run], known: Mapping[UUID, Run]) -> list[UUID]:
    """The runs of an article's cells; first those on file systems of the other runs, so that one is the baseline."""
    file_systems = {run.target.file_system for run in own}
    runs = dict.fromkeys(UUID(run) for cell in cells for run in cell.runs)
    return sorted(runs, key=lambda run: known[run].target.file_system not in file_systems)


def shared_figures(quantities: Quantities, table: TableContent) -> dict[UUID, set[Figure]]:
    """The figures of a table that each run has, if it has any."""
    wanted = figures_of(table)
    having = _having(quantities, wanted, tools_of(table))
    shared: dict[UUID, set[Figure]] = defaultdict(set)
    for of_parse in quantities.places:
        mask = of_parse.mask(len(quantities)) & having
        found = {(str(test), str(metric)) for test, metric in quantities.combinations(("test", "metric"), mask)}
        if figures := found & set(wanted):
            shared |= dict.fromkeys(of_parse.runs, figures)
    return shared


def published_beside(run: Run) -> Beside | None:
    """The article's table with the most figures of what a run measured, and the run; None if there is none.

    Five queries. Among equal tables, the one with the fewest other figures. Raises MustWait.
    """
    keys = PublishedTable.objects.values_list("permalink_id", flat=True)
    links = Permalink.objects.with_runs_now().filter(pk__in=list(keys))
    tables = [link.shown for link in links if not link.gone and isinstance(link.shown, TableContent)]
    before_quantities([run])
    quantities = in_words(quantities_of([run.id]))
    shares = [(len(shared_figures(quantities, table).get(run.id, ())), table) for table in tables]
    most, table = max(shares, key=lambda share: (share[0], -len(figures_of(share[1]))), default=(0, None))
    return beside(table, [run.id]) if table is not None and most else None


def candidates(table: TableContent, reader: Reader) -> list[UUID]:
    """The newest measured or imported run of each target and workload with one of a table's tests, newest first.

    The reader's own runs, or all listed runs if the reader is not signed in. One query. Raises MustWait if reading
    them takes long.
    """
    states = RunState.objects.listed_for(reader).exclude(facets__source=Source.PUBLISHED)
    if reader.is_authenticated:
        states = states.filter(owner=reader)
    tests = {test for test, _ in figures_of(table)}
    of_tests = Q(facets__tests__overlap=[*tests - {OF_ONE_TOOL}])
    of_tool = Q(facets__tests__overlap=[*tests & {OF_ONE_TOOL}], run__tool__in=tools_of(table))
    states = states.filter(of_tests | of_tool).order_by("-run")
    facts = ("facets__machine", "facets__target", "run__tool", "run__parameters")
    rows = states.values_list("run", "result_count", *facts)[:SEARCHED]
    newest: Mapping[tuple[object, ...], tuple[UUID, int]] = {
        (*key, settings_value(parameters)): (run, results) for run, results, *key, parameters in reversed(rows)
    }
    before_quantities_of(sum(results for _, results in newest.values()))
    return sorted((run for run, _ in newest.values()), reverse=True)


def _having(quantities: Quantities, figures: Sequence[Figure], tools: Collection[str]) -> BoolArray:
    tests, metrics = {test for test, _ in figures}, {metric for _, metric in figures}
    alike = quantities.having("tool", tools) | ~quantities.having("test", {OF_ONE_TOOL})
    return alike & quantities.having("test", tests) & quantities.having("metric", metrics)


def _of_runs(quantities: Quantities, runs: Sequence[UUID]) -> BoolArray:
    """The mask of the quantities that any of these runs has."""
    places = [of_parse for of_parse in quantities.places if not set(runs).isdisjoint(of_parse.runs)]
    return np.asarray(np.logical_or.reduce([of_parse.mask(len(quantities)) for of_parse in places]), dtype=bool)


def _runs_with(quantities: Quantities, mask: BoolArray) -> set[UUID]:
    """The runs that have any of these quantities."""
    places = [of_parse for of_parse in quantities.places if mask[of_parse.quantities].any()]
    return {run for of_parse in places for run in of_parse.runs}
