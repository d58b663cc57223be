"""The own figure for each published one: of the same test, with equal sizes, or the reason why there is none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from benchdb.compare.guard.distinguishing import PLACE, distinguishing, value_of
from benchdb.compare.query.dimensions import label_values, with_noun
from benchdb.facts.file_to_memory import say_step, step_of, usable_memory
from benchdb.facts.measuring import AGED
from benchdb.facts.options import settings_value
from benchdb.runs.cells.cell import Cell
from benchdb.runs.models import Run
from benchdb.runs.queries import Measured
from benchdb.wording.sizes import say_size

from .work import TIMES, common_unit, mean_over_sizes, work_of

# Params that are amounts of work: figures of other amounts are compared as rates.
AMOUNTS = ("files", "directories", "files_per_directory", "seconds", "max_bytes", "seekers", "seeks")
VIEW = "view"  # the param of a figure that is no measurement of one size
WITHOUT_FIGURE = {
    "failed": "the test failed in your run",
    "unmeasurable": "too fast for the tool to measure in your run",
}
Sides = tuple[str, str]  # the labels of an own configuration and a published one


@dataclass(frozen=True)
class Counterpart:
    """A published figure and the own result for it.

    `unit` is that of the work behind a time, whose `amounts` are the published and the own one; None if the metric is
    no time.
    """

    published: Cell
    own: Measured
    unit: str | None
    amounts: tuple[float, float]


class NoCounterpart(NamedTuple):
    """Why a published figure has no counterpart in an own run; the reason with the least `rank` counts."""

    rank: int
    why: str


NOT_MEASURED = NoCounterpart(1, "not measured")


class Configurations:
    """The configurations of runs: file system, machine and the settings in which runs of one side differ."""

    def __init__(self, published: Sequence[Run], own: Sequence[Run]) -> None:
        self._names = [self._settings(runs) for runs in (published, own)]
        several = len({run.machine_id for run in published}) > 1
        self.of_published = self._labels(published, self._names[0], machines=several)
        self.of_own = self._labels(own, self._names[1], machines=True)
        self.published, self.own = ({run.id: run for run in runs} for runs in (published, own))

    @staticmethod
    def _settings(runs: Sequence[Run]) -> tuple[str, ...]:
        return distinguishing(runs, ("file_system", "machine"), apart=lambda run: settings_value(run.parameters) or "")

    @staticmethod
    def _labels(runs: Sequence[Run], names: Sequence[str], *, machines: bool) -> dict[UUID, str]:
        """`ext4 (barrier, 2 MiB read-ahead) on my-laptop`, the last only with `machines`."""
        columns = {name: {run.id: value_of(name, run) for run in runs} for name in names}
        labels = {name: label_values(name, column.values()) for name, column in columns.items()}
        if len({*labels.get("aging", ())} - {None}) == 1:
            labels["aging"] = dict.fromkeys(labels["aging"], AGED)
        found = {}
        for run in runs:
            values = {name: column[run.id] for name, column in columns.items()}
            settings = [with_noun(name, labels[name][value]) for name, value in values.items() if value is not None]
            found[run.id] = f"{run.target.file_system or 'unknown file system'}"
            found[run.id] += f" ({', '.join(settings)})" if settings else ""
            found[run.id] += f" on {run.machine.name}" if machines else ""
        return found

    def alike(self, own: UUID) -> set[UUID]:
        """The published runs on the file system of an own run that have most of its settings."""
        run = self.own[own]
        names = {*self._names[0], *self._names[1]} - {*PLACE}
        scores = {
            key: sum(value_of(name, other) == value_of(name, run) is not None for name in names)
            for key, other in self.published.items()
            if other.target.file_system == run.target.file_system
        }
        return {key for key, score in scores.items() if score == max(scores.values())}


class Search:
    """The own results, looked up for published figures; `means` are those of the article's page file."""

    def __init__(self, runs: Mapping[UUID, Run], results: Sequence[Measured], means: Mapping[str, int]) -> None:
        self._runs, self._means = runs, means
        self._of: dict[tuple[UUID, str, str], list[Measured]] = defaultdict(list)
        for result in results:
            self._of[result.run_id, result.test, result.metric].append(result)

    def find(self, cell: Cell, own: Run) -> Counterpart | NoCounterpart:
        """The counterpart of a published figure in an own run, or why there is none."""
        of, test = self._runs[UUID(cell.runs[0])], cell.test or ""
        results = self._of[own.id, test, cell.metric]
        if not results:
            return NOT_MEASURED
        view = (cell.params or {}).get(VIEW)
        found = self._mean(results, str(view)) if view is not None else self._of_sizes(cell, of, own, results)
        if isinstance(found, NoCounterpart):
            return found
        if cell.metric not in TIMES:
            return Counterpart(cell, found, None, (1.0, 1.0))
        article = work_of(test, cell.params or {}, cell.file_size, of)
        yours = work_of(test, found.params, found.file_size, own)
        unit = common_unit(test, article, yours)
        if unit is None:
            sides = [name for name, amount in (("the article", article), ("your run", yours)) if not amount]
            return NoCounterpart(0, f"the amount of work behind the time is unknown in {' and in '.join(sides)}")
        return Counterpart(cell, found, unit, (article[unit], yours[unit]))

    def _mean(self, results: Sequence[Measured], view: str) -> Measured | NoCounterpart:
        if view not in self._means:
            return NoCounterpart(0, f"the article’s figure is its “{view}”")
        least = self._means[view]
        meant = [result for result in results if (result.file_size or 0) > least]
        files, records = ({getattr(each, name) for each in meant} for name in ("file_size", "record_size"))
        files_over = f"files over {say_size(least)}" if least else "files"
        article = f"the article’s figure is a mean over all record sizes and all {files_over}"
        if not meant or len(records) < 2 or (len(files) < 2 and not least):
            return NoCounterpart(0, f"{article}; your run has {'too few sizes' if meant else 'no such files'}")
        if len({(each.file_size, each.record_size) for each in meant}) < len(meant):
            return NoCounterpart(0, f"{article}; your run has several figures for one size")
        if failed := sum(result.mean is None for result in meant):
            return NoCounterpart(0, f"{article}; {failed} of the {len(meant)} in your run have no figure")
        return mean_over_sizes(meant)

    def _of_sizes(self, cell: Cell, of: Run, own: Run, results: Sequence[Measured]) -> Measured | NoCounterpart:
        sized = [each for each in results if each.file_size == cell.file_size] or [
            each
            for each in results
            if (step := step_of(each.file_size, usable_memory(own))) is not None
            and step == step_of(cell.file_size, usable_memory(of))
        ]
        if not sized:
            return NoCounterpart(2, _why_other_files(cell, of, own, results))
        for name, say in (("record_size", "records of {}"), ("threads", "{} threads")):
            wanted = getattr(cell, name)
            kept = [each for each in sized if wanted is None or getattr(each, name) in (wanted, None)]
            if not kept:
                has = dict.fromkeys(_say(name, getattr(each, name)) for each in sized)
                against = f"{say.format(', '.join(has))} against {_say(name, wanted)} in the article"
                return NoCounterpart(0, against)
            sized = kept
        params = {name: value for name, value in (cell.params or {}).items() if name not in AMOUNTS}
        kept = [each for each in sized if all(each.params.get(name, value) == value for name, value in params.items())]
        if not kept:
            return NoCounterpart(0, "other test parameters than in the article")
        if len({(each.record_size, each.threads) for each in kept}) > 1:
            return NoCounterpart(0, "the record size or the number of threads is unknown in the article")
        if kept[0].mean is None:
            return NoCounterpart(0, WITHOUT_FIGURE.get(kept[0].status, "its statistics are being computed"))
        return kept[0]


def _say(name: str, value: int | None) -> str:
    return "unknown" if value is None else say_size(value) if name == "record_size" else str(value)


def _why_other_files(cell: Cell, of: Run, own: Run, results: Sequence[Measured]) -> str:
    """`files of 8 MiB (1/4096 × memory, so in RAM) against 16 GiB (2 × memory) in the article`."""
    largest = max((each.file_size for each in results if each.file_size), default=None)
    article = _file(cell.file_size, of)
    own_step, step = (step_of(size, usable_memory(run)) for size, run in ((largest, own), (cell.file_size, of)))
    in_ram = ", so in RAM" if own_step is not None and own_step < 0 and (step is None or step >= 0) else ""
    return f"files of {_file(largest, own, in_ram)} against {article} in the article"


def _file(size: int | None, run: Run, more: str = "") -> str:
    step = step_of(size, usable_memory(run))
    ratio = f" ({say_step(step)} memory{more})" if step is not None else ""
    return "unknown size" if size is None else f"{say_size(size)}{ratio}"


def counterparts(
    cells: Sequence[Cell], configurations: Configurations, search: Search
) -> tuple[dict[Sides, list[Counterpart]], dict[NoCounterpart, list[Cell]]]:
    """The counterparts by configuration, and the figures on a common file system without one, by the reason."""
    found: dict[Sides, list[Counterpart]] = defaultdict(list)
    without: dict[int, NoCounterpart] = {}
    placed: set[int] = set()
    for own in configurations.own.values():
        alike = configurations.alike(own.id)
        for index, cell in enumerate(cells):
            of = UUID(cell.runs[0])
            answer = search.find(cell, own) if of in alike else None
            if isinstance(answer, Counterpart):
                found[configurations.of_own[own.id], configurations.of_published[of]].append(answer)
                placed.add(index)
            elif answer is not None:
                without[index] = min(answer, without.get(index, answer))
    reasons: dict[NoCounterpart, list[Cell]] = defaultdict(list)
    for index in sorted(without.keys() - placed):
        reasons[without[index]].append(cells[index])
    return found, reasons
