"""Published figures next to own measurements: an article's table and runs of the same tests in one comparison."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from django.urls import reverse

from benchdb.compare.models import Permalink
from benchdb.compare.query.dimensions import DimensionValue, dimension, settings_value
from benchdb.compare.query.selection import MOST_RUNS
from benchdb.compare.table.complete import in_words
from benchdb.compare.table.content import TableContent, cells
from benchdb.http.requests import Reader
from benchdb.runs.cells.cell import Cell
from benchdb.runs.models import Run, RunState, Source
from benchdb.runs.quantities.columns import BoolArray, Quantities
from benchdb.runs.quantities.reading import quantities_of

from .models import PublishedTable

SEARCHED = 200  # newest runs with one of the tests
MOST_OWN = 12  # runs beside an article: the newest of each target and workload
SIZES = ("file_size", "record_size", "threads", "params")
Figure = tuple[str, str]  # test and metric


@dataclass(frozen=True)
class Beside:
    """An article's table, the runs with some of its figures, the quantities of these runs, and the common figures."""

    table: TableContent
    runs: Sequence[UUID]
    quantities: Quantities
    figures: Sequence[Figure]

    @property
    def address(self) -> str:
        """The comparison with both: rows for what differs, and the common tests as columns.

        Sizes are those that both have; else those of the table, and the largest of the runs.
        """
        metrics = list(dict.fromkeys(metric for _, metric in self.figures))
        published = [run for run in self.table.runs if any(run in cell.runs for cell in self._cells)]
        pairs = [("run", run) for run in [*published, *map(str, self.runs)][:MOST_RUNS]]
        pairs += [("columns", "test,metric")] if len(metrics) > 1 else []
        pairs += [("test", test) for test in dict.fromkeys(test for test, _ in self.figures)]
        pairs += [("metric", metric) for metric in metrics]
        pairs += [(name, dimension(name).parameter(value)) for name in SIZES for value in self._values(name)]
        return f"{reverse('compare')}?{urlencode(pairs, safe=',:/')}"

    @property
    def _cells(self) -> list[Cell]:
        """The cells of the table with common figures."""
        return [placed.cell for placed in cells(self.table) if (placed.cell.test, placed.cell.metric) in self.figures]

    def _values(self, name: str) -> list[DimensionValue]:
        published = dict.fromkeys(_value(cell, name) for cell in self._cells)
        own = dict.fromkeys(self.quantities.values(name, _having(self.quantities, self.figures)))
        common = [value for value in published if value in own]
        return common or [*published, max(own, key=lambda value: value if isinstance(value, int) else 0)]


def figures_of(table: TableContent) -> list[Figure]:
    """The test and metric of every figure in a table, each once."""
    placed_cells = (placed.cell for placed in cells(table) if placed.cell.test is not None)
    return list(dict.fromkeys((str(cell.test), cell.metric) for cell in placed_cells))


def beside(table: TableContent, runs: Sequence[UUID]) -> Beside | None:
    """The table and those of these runs that share the most figures with it; None if none of them shares one.

    One query.
    """
    quantities = in_words(quantities_of(runs))
    wanted = figures_of(table)
    shared = shared_figures(quantities, wanted)
    if not shared:
        return None
    most = max(map(len, shared.values()))
    best = [run for run in runs if len(shared.get(run, ())) == most]
    common = set.intersection(*(shared[run] for run in best))
    figures = [figure for figure in wanted if figure in (common or set.union(*(shared[run] for run in best)))]
    return Beside(table, best[:MOST_OWN], quantities, figures)


def shared_figures(quantities: Quantities, wanted: Sequence[Figure]) -> dict[UUID, set[Figure]]:
    """The wanted figures of each run that has any."""
    having = _having(quantities, wanted)
    shared: dict[UUID, set[Figure]] = defaultdict(set)
    for of_parse in quantities.places:
        mask = of_parse.mask(len(quantities)) & having
        found = {(str(test), str(metric)) for test, metric in quantities.combinations(("test", "metric"), mask)}
        if figures := found & set(wanted):
            shared |= dict.fromkeys(of_parse.runs, figures)
    return shared


def published_beside(run: Run) -> Beside | None:
    """The article's table with the most figures of what a run measured, and the run; None if there is none.

    Four queries. Among equal tables, the one with the fewest other figures.
    """
    keys = PublishedTable.objects.values_list("permalink_id", flat=True)
    links = Permalink.objects.with_runs_now().filter(pk__in=list(keys))
    tables = [link.shown for link in links if not link.gone and isinstance(link.shown, TableContent)]
    quantities = in_words(quantities_of([run.id]))
    shares = [(len(shared_figures(quantities, figures_of(table)).get(run.id, ())), table) for table in tables]
    most, table = max(shares, key=lambda share: (share[0], -len(figures_of(share[1]))), default=(0, None))
    return beside(table, [run.id]) if table is not None and most else None


def candidates(figures: Sequence[Figure], reader: Reader) -> list[UUID]:
    """The newest measured or imported run of each target and workload with one of these tests, newest first.

    The reader's own runs, or all listed runs if the reader is not signed in. One query.
    """
    states = RunState.objects.listed_for(reader).exclude(facets__source=Source.PUBLISHED)
    if reader.is_authenticated:
        states = states.filter(owner=reader)
    states = states.filter(facets__tests__overlap=[test for test, _ in figures]).order_by("-run")
    rows = states.values_list("run", "facets__machine", "facets__target", "run__tool", "run__parameters")[:SEARCHED]
    newest: Mapping[tuple[object, ...], UUID] = {
        (*key, settings_value(parameters)): run for run, *key, parameters in reversed(rows)
    }
    return sorted(newest.values(), reverse=True)


def _having(quantities: Quantities, figures: Sequence[Figure]) -> BoolArray:
    tests, metrics = {test for test, _ in figures}, {metric for _, metric in figures}
    return quantities.having("test", tests) & quantities.having("metric", metrics)


def _value(cell: Cell, name: str) -> DimensionValue:
    value: DimensionValue = settings_value(cell.params or {}) if name == "params" else getattr(cell, name)
    return value
