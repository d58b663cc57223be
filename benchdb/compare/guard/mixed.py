"""Cells over several machines, disks or workloads: such a cell has no figure, and a link that splits it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from urllib.parse import urlencode

from django.urls import reverse

from benchdb.compare.content import SharedFact
from benchdb.compare.query.dimensions import dimension
from benchdb.compare.query.parameters import MOST_DIMENSIONS
from benchdb.compare.query.selection import Selection
from benchdb.facts.fact import Fact
from benchdb.facts.guarding import SKIP, matches
from benchdb.facts.registry import BY_NAME
from benchdb.runs.cells.cell import Cell, CellText
from benchdb.runs.costs import before_sets
from benchdb.runs.models import Run

from .distinguishing import MEASURED, OF_RESULTS
from .facts import columns

# The guarded facts in which runs of one cell never differ: their columns, the dimension that separates the runs ("" for
# the dimension with the key of the column), and the noun for its values.
SEPARATE = (
    (("machine",), "machine", "machines"),
    (("disk", "disks", "drive.*"), "disk", "disks"),
    (("tool",), "tool", "tools"),
    (("parameter.*",), "", "workloads"),
    (("command",), "run", "workloads"),
)


@dataclass(frozen=True)
class Mixture:
    """The difference that takes the figure from a cell: `dimension` separates its runs, `text` is `2 machines`."""

    dimension: str
    text: str


def mixtures(
    selection: Selection, runs: Sequence[Run], cells: Iterable[Collection[str]]
) -> dict[frozenset[str], Mixture]:
    """The mixtures of the cells with unlike runs, by the ids of the cell's runs; `cells` has the ids of each cell."""
    varied = selection.axes | set(OF_RESULTS)
    found: dict[frozenset[str], Mixture] = {}
    sets = {frozenset(ids) for ids in cells if len(ids) > 1}
    before_sets(runs, sets)
    for run_ids in sets:
        mixture = next(_mixtures([run for run in runs if str(run.id) in run_ids], varied), None)
        if mixture is not None:
            found[run_ids] = mixture
    return found


def without_figure(cell: Cell, mixture: Mixture) -> Cell:
    """The cell with the words of its mixture in place of its figures."""
    return replace(
        cell,
        status="mixed",
        error=None,
        n=None,
        mean=None,
        sd=None,
        within_sd=None,
        between_sd=None,
        median=None,
        minimum=None,
        maximum=None,
        low=None,
        high=None,
        median_low=None,
        median_high=None,
        text=CellText("", "", mixture.text, ""),
        values=None,
        outliers=[],
        warnings=[],
        splits=mixture.dimension,
    )


@lru_cache(maxsize=100)
def split_href(query: str, name: str) -> str:
    """The address of the table with this dimension among the rows, or in the split if the rows are many already."""
    selection = Selection.parse(query)
    if len(selection.rows) < MOST_DIMENSIONS:
        selection = selection.replace(rows=(*selection.rows, name), factor=selection.factor_names)
    else:
        selection = selection.replace(split=(*selection.split_names, name))
    return f"{reverse('compare')}?{urlencode(selection.replace(baseline='').pairs(), safe=',:/')}"


def _mixtures(runs: Sequence[Run], varied: frozenset[str]) -> Iterator[Mixture]:
    differing = [column.name for column in columns(runs, varied) if column.differs]
    for patterns, name, nouns in SEPARATE:
        for column in differing:
            if matches(column, patterns) and not matches(column, MEASURED):
                yield _mixture(runs, name or column.replace(".", ":", 1), nouns)


def _mixture(runs: Sequence[Run], name: str, nouns: str) -> Mixture:
    of_run = dimension(name).of
    count = len({of_run(run) for run in runs}) if of_run else 1
    if count < 2:  # disks of one model in different numbers: the dimension does not separate the runs
        return Mixture("run", f"{len(runs)} unlike runs")
    return Mixture(name, f"{count} {nouns}")


# In the order of the page. `layers` and `raid_level` are left out if there are none.
NAMES = (
    *("cpu", "cpu_threads", "memory", "memory_limit", "controller_cache", "raid_level", "raid_chunk", "disks", "disk"),
    *("layers", "virtualization", "container", "kernel", "os"),
)
NOTHING = ("", "none", "no RAID", "no")


def shared_facts(runs: Sequence[Run]) -> list[SharedFact]:
    """The facts that are known for all of these runs and the same, in words; one run shares all of its own."""
    facts = [_shared(BY_NAME[name], runs) for name in NAMES] if runs else []
    return [fact for fact in facts if fact is not None]


def _shared(of: Fact, runs: Sequence[Run]) -> SharedFact | None:
    assert of.guard is not None, of.name
    (column,) = of.guard.columns(of, runs, frozenset())
    first = column.values[0]
    if first is None or first is SKIP or len(column.known) < len(runs) or column.differs:
        return None
    text = column.say(first)
    return None if text in NOTHING else SharedFact(of.name, of.label, text)
