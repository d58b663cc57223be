"""Results into cells at splits × rows × columns."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from uuid import UUID

from benchdb.compare.query.dimension_values import matching
from benchdb.compare.query.dimensions import dimension, joined, key_of_param, label_values, reader_of, without_common
from benchdb.compare.query.selection import Selection
from benchdb.facts.dimension import DimensionValue
from benchdb.facts.file_to_memory import NAME as FILE_TO_MEMORY
from benchdb.facts.options import settings_value
from benchdb.runs.cells.cell import Cell, cells_of, combined_cells
from benchdb.runs.models import Run
from benchdb.runs.queries import Measured
from benchdb.wording.units import UNITS

AxisKey = tuple[DimensionValue, ...]  # a position on an axis: the value of each of its dimensions
CellKey = tuple[AxisKey, AxisKey, AxisKey]  # split, row, column
CellAt = tuple[int, int, int]  # the indices of these on their axes


@dataclass(frozen=True)
class TableAxis:
    """One axis: its dimensions, its positions in order, and the label of each position in each dimension."""

    names: tuple[str, ...]
    keys: list[AxisKey]
    parts: list[dict[str, str]]

    @cached_property
    def labels(self) -> list[str]:
        """The labels of the positions, each from its parts; of an article's, without what they all have."""
        if "publication" not in self.names:
            return [joined(parts) for parts in self.parts]
        return [joined(without_common(parts, self._of_article(parts["publication"]))) for parts in self.parts]

    def _of_article(self, article: str) -> list[dict[str, str]]:
        return [parts for parts in self.parts if parts["publication"] == article]


class Pivoted(NamedTuple):
    """The three axes; the cells that were measured, by their indices on the axes and in reading order; and notes.

    `of_params` are the notes on tests that are shown with only some of their parameters.
    """

    split: TableAxis
    rows: TableAxis
    columns: TableAxis
    cells: dict[CellAt, Cell]
    of_params: list[str]
    notes: list[str]


def pivot(
    selection: Selection, runs: Mapping[UUID, Run], results: Sequence[Measured], units: Mapping[str, str]
) -> Pivoted:
    """The cells of all results; if several runs are in one cell, their means become the sample.

    Selected values keep the order of the selection. Otherwise dimensions of runs keep the order of the runs, numbers
    are sorted, and other values keep the order of the documents.
    """
    for name in selection.filters:
        if name == FILE_TO_MEMORY or key_of_param(name):
            results = _of_filter(selection, name, results, runs)
    kept, of_params = _one_kind_of_params(selection, results, runs)
    all_names = (selection.split_names, selection.rows, selection.columns)
    keys = _keys(kept, runs, all_names)
    cells, doubled = _cells_by_run(kept, keys, _cells(kept, runs, units), runs)
    several = "Some cells have several results of one run; the first is shown. Filter to see the others."
    in_documents = [keys[i] for i in sorted(range(len(kept)), key=lambda i: kept[i].ordinal)]
    split, rows, columns = (
        _axis(selection, names, [key[i] for key in in_documents], [key[i] for key in cells])
        for i, names in enumerate(all_names)
    )
    numbers = [{key: i for i, key in enumerate(axis.keys)} for axis in (split, rows, columns)]
    at = {key: (numbers[0][key[0]], numbers[1][key[1]], numbers[2][key[2]]) for key in cells}
    in_order = sorted(_combined(cells, units).items(), key=lambda placed: at[placed[0]])
    return Pivoted(split, rows, columns, {at[key]: cell for key, cell in in_order}, of_params, [several] * doubled)


def _of_filter(
    selection: Selection, name: str, results: Sequence[Measured], runs: Mapping[UUID, Run]
) -> list[Measured]:
    """The results with a selected value of a dimension that is no column of results."""
    readers = {run_id: reader_of([name], run) for run_id, run in runs.items()}
    return matching(name, selection.filter(name), results, lambda each: readers[each.run_id](each)[0], "result")


def _keys(results: Sequence[Measured], runs: Mapping[UUID, Run], all_names: Sequence[tuple[str, ...]]) -> list[CellKey]:
    """The key of each result."""
    readers = {run_id: [reader_of(names, run) for names in all_names] for run_id, run in runs.items()}
    keys = []
    for result in results:
        split_of, row_of, column_of = readers[result.run_id]
        keys.append((split_of(result), row_of(result), column_of(result)))
    return keys


def _cells_by_run(
    results: Sequence[Measured], keys: Sequence[CellKey], cells: Sequence[Cell], runs: Mapping[UUID, Run]
) -> tuple[dict[CellKey, dict[int, Cell]], bool]:
    """The first cell of each run (by its number) at each key, in their order; whether a run has another one."""
    numbers = {run_id: number for number, run_id in enumerate(runs)}
    in_order = sorted((numbers[result.run_id], result.ordinal, index) for index, result in enumerate(results))
    placed: dict[CellKey, dict[int, Cell]] = defaultdict(dict)
    doubled = False
    for number, _, index in in_order:
        of_key = placed[keys[index]]
        doubled |= number in of_key
        of_key.setdefault(number, cells[index])
    return placed, doubled


def _cells(results: Sequence[Measured], runs: Mapping[UUID, Run], units: Mapping[str, str]) -> list[Cell]:
    """The cell of each result, in the unit of its metric."""
    by_metric: dict[str, list[int]] = defaultdict(list)
    for index, result in enumerate(results):
        by_metric[result.metric].append(index)
    cells: dict[int, Cell] = {}
    for metric, indices in by_metric.items():
        cells.update(zip(indices, cells_of([results[i] for i in indices], UNITS[units[metric]], runs), strict=True))
    return [cells[index] for index in range(len(results))]


def _combined(placed: Mapping[CellKey, Mapping[int, Cell]], units: Mapping[str, str]) -> dict[CellKey, Cell]:
    several = {key: list(by_run.values()) for key, by_run in placed.items() if len(by_run) > 1}
    shown_units = [UNITS[units[cells[0].metric]] for cells in several.values()]
    combined = dict(zip(several, combined_cells(list(several.values()), shown_units), strict=True))
    return {key: combined.get(key) or next(iter(by_run.values())) for key, by_run in placed.items()}


def _axis(
    selection: Selection, names: tuple[str, ...], in_documents: Sequence[AxisKey], in_runs: Sequence[AxisKey]
) -> TableAxis:
    """The axis, sorted by each dimension; in the order of the runs if all are of runs and none has selected values.

    The keys are those of all results, once in the order of the documents and once in that of the runs.
    """
    of_runs = [dimension(name).of is not None for name in names]
    keys = list(dict.fromkeys(in_runs))
    if not all(of_runs) or any(len(selection.filter(name)) > 1 for name in names):
        key_lists = [in_runs if of_run else in_documents for of_run in of_runs]
        ranks = [_ranks(selection, name, [key[i] for key in key_lists[i]]) for i, name in enumerate(names)]
        keys.sort(key=lambda key: [rank[value] for rank, value in zip(ranks, key, strict=True)])
    labels = [label_values(name, (key[i] for key in keys)) for i, name in enumerate(names)]
    parts = [{name: labels[i][key[i]] for i, name in enumerate(names)} for key in keys]
    return TableAxis(names, keys, parts)


def _ranks(selection: Selection, name: str, occurring: Sequence[DimensionValue]) -> dict[DimensionValue, int]:
    """The rank of each value of a dimension: in the order of the selection, or sorted, or in the given order."""
    selected = selection.filter(name)
    of = dimension(name)
    values = list(dict.fromkeys(occurring))
    if selected:
        values.sort(key=lambda value: selected.index(of.parameter(value)))
    elif of.of is None and any(isinstance(value, int) for value in values):
        values.sort(key=lambda value: value if isinstance(value, int) else -1)
    return {value: rank for rank, value in enumerate(values)}


# Dimensions of runs in which runs of different work differ.
OF_WORK = ("parameter:", "label:", "campaign_point", "run", "publication")


def _one_kind_of_params(
    selection: Selection, results: Sequence[Measured], runs: Mapping[UUID, Run]
) -> tuple[list[Measured], list[str]]:
    """The results without those that differ from others only in their params, and notes on the others.

    Such results would share a cell, so each test keeps its most frequent params, or those of each workload if workloads
    are an axis. All stay if params are an axis; selected params always stay. A param that is an axis does not count.
    """
    if filtered := selection.filter("params"):
        whole = _texts_of_params(results)
        results = [result for result in results if whole[id(result.params)] in filtered]
    texts = _texts_of_params(results, [key for name in selection.axes if (key := key_of_param(name))])
    if "params" in selection.axes or (len(set(texts.values())) == 1 and not filtered):
        return list(results), []
    pairs = [(result, texts[id(result.params)]) for result in results]
    names = [name for name in (*selection.rows, *selection.columns, *selection.split_names) if name.startswith(OF_WORK)]
    works = {run_id: tuple(_of_run(name, run) for name in names) for run_id, run in runs.items()}
    return _most_frequent_params(pairs, works)


def _texts_of_params(results: Sequence[Measured], without: Sequence[str] = ()) -> dict[int, str]:
    """The params of results as texts, by the identity of the params, which equal rows share."""
    print_params = dimension("params").parameter
    texts: dict[int, str] = {}
    for result in results:
        if id(result.params) not in texts:
            params = {key: value for key, value in result.params.items() if key not in without}
            texts[id(result.params)] = print_params(settings_value(params))
    return texts


def _of_run(name: str, run: Run) -> DimensionValue:
    of_run = dimension(name).of
    return of_run(run) if of_run else None


def _most_frequent_params(
    pairs: Sequence[tuple[Measured, str]], works: Mapping[UUID, AxisKey]
) -> tuple[list[Measured], list[str]]:
    """The results with the most frequent params of their test, metric and work; `pairs` are (result, params)."""
    counts: dict[tuple[str, str, AxisKey], Counter[str]] = defaultdict(Counter)
    for result, params in pairs:
        counts[result.test, result.metric, works[result.run_id]][params] += 1
    kept = {
        of_test: max(counter, key=lambda params: (counter[params], -len(params), params))
        for of_test, counter in counts.items()
    }
    results = [result for result, params in pairs if kept[result.test, result.metric, works[result.run_id]] == params]
    several = {key[0]: kept[key] for key, counter in counts.items() if len(counter) > 1}
    if not several:
        return results, []
    listed = "; ".join(f"{dimension('test').print(test)}: {params}" for test, params in several.items())
    return results, [
        f"Tests were measured with several parameters; shown are {listed}. For others choose params or make it an axis."
    ]
