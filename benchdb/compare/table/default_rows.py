"""The rows of a table that the reader left open: what differs between the runs, and sizes that they do not share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import numpy as np

from benchdb.compare.guard.distinguishing import compared, distinguishing
from benchdb.compare.query.dimension_values import in_order
from benchdb.compare.query.dimensions import dimension
from benchdb.compare.query.narrowed import PREFERENCE, Narrowed
from benchdb.compare.query.parameters import MOST_DIMENSIONS
from benchdb.compare.query.selection import Selection
from benchdb.facts.workload import publication_of
from benchdb.runs.listing.headlines import main_metric
from benchdb.runs.models import Run
from benchdb.runs.quantities.columns import BoolArray, Entry, IntArray, Quantities

OF_RESULTS = ("threads", "file_size", "record_size", "params")
MOST_VALUES = 30  # of a size or of params as rows
FALLBACK = ("file_system", "test", "run", "machine")


def with_rows(selection: Selection, runs: Sequence[Run], narrowed: Narrowed) -> Selection:
    """The selection with rows, and with a factor if it is not all of the rows.

    The rows are the dimensions that separate unlike runs, and sizes without a value that all runs have: any choice of
    one would leave runs out. Dimensions on the other axes separate already. Articles and measured runs are rows, and
    what differs only between them separates nothing further.
    """
    elsewhere = narrowed.axes
    first = tuple(name for name in selection.factor if name not in elsewhere)
    sources = _by_publication(runs)
    published = ("publication",) if len(sources) > 1 and "publication" not in (*elsewhere, *first) else ()
    several_tools = any(len({run.tool for run in of_source}) > 1 for of_source in sources)
    tools = ("tool",) if several_tools and "tool" not in (*elsewhere, *first) else ()
    sizes = [name for name in OF_RESULTS if name not in elsewhere and _is_apart(name, selection, narrowed, sources)]
    before = (*published, *first)
    others = [*before, *tools, *(name for name in sizes if name not in first)]
    _keep_largest(sizes, narrowed)
    axes_of_results = [name for name in ("test", *OF_RESULTS) if name in elsewhere or name in sizes]
    group_of = _with_common_results(axes_of_results, narrowed)
    settings = distinguishing(
        runs,
        known=(*elsewhere, *before, *tools),
        most=max(1, MOST_DIMENSIONS - len(others)),
        apart=lambda run: group_of.get(run.id),
    )
    rows = (*before, *settings, *others[len(before) :])[:MOST_DIMENSIONS]
    rows = rows or next((name,) for name in FALLBACK if name not in elsewhere)
    factor = selection.factor or compared(rows)
    return selection.replace(rows=rows, factor=() if factor == rows else factor)


def _keep_largest(names: Sequence[str], narrowed: Narrowed) -> None:
    """Of files and records that are rows, keep the largest of each run or series, which has one row for each test."""
    mask = narrowed.left
    for name in names:
        if name not in ("file_size", "record_size") or narrowed.filters.get(name):
            continue
        of_outputs = (values for values in _values_by_output(name, narrowed.quantities, mask) if values)
        largest = {max(values, key=lambda value: value if isinstance(value, int) else -1) for values in of_outputs}
        if largest != set(narrowed.quantities.values(name, mask)):
            narrowed.filters[name] = tuple(dimension(name).parameter(value) for value in in_order(largest))
        mask = mask & narrowed.quantities.having(name, largest)


def _by_publication(runs: Sequence[Run]) -> list[list[Run]]:
    """The runs of each article, and the measured ones."""
    groups: dict[str | None, list[Run]] = defaultdict(list)
    for run in runs:
        groups[publication_of(run)].append(run)
    return list(groups.values())


def _with_common_results(names: Sequence[str], narrowed: Narrowed) -> dict[UUID, int]:
    """A number for each run: the same for runs that share a combination of values in these dimensions of results.

    Runs with different numbers have no result in common, so no cell has results of both.
    """
    quantities, mask = narrowed.quantities, narrowed.left
    combination = np.zeros(len(quantities), dtype=np.int64)
    for column in (quantities.columns[name] for name in names):  # numbered anew, because the product may be too large
        numbers = combination * max(1, len(column.values)) + column.codes
        combination = np.unique(numbers, return_inverse=True)[1]
    group_of = np.arange(len(quantities))  # of each combination
    first: dict[UUID, int] = {}
    for place in quantities.places:
        present = combination[place.quantities[mask[place.quantities]]]
        if not names or not len(present):
            continue
        groups = np.unique(group_of[present])
        group_of[np.isin(group_of, groups)] = groups[0]
        first.update(dict.fromkeys(place.runs, int(present[0])))
    return {run: int(group_of[number]) for run, number in first.items()}


def tools_with_a_common_test(narrowed: Narrowed) -> tuple[str, ...]:
    """The tool that most runs used, and the tools that measured one of its tests in its main metric."""
    weights = narrowed.quantities.weights("tool", narrowed.fitting())
    usual = max(weights, key=lambda tool: (weights[tool], PREFERENCE["tool"](tool)))
    of_usual = narrowed.fitting() & narrowed.quantities.having("tool", {usual})
    metrics = narrowed.filters.get("metric") or (_main_metric(narrowed, of_usual),)
    of_metrics = narrowed.fitting() & narrowed.quantities.having("metric", set(metrics))
    tests = set(narrowed.quantities.values("test", of_usual & of_metrics))
    common = of_metrics & narrowed.quantities.having("test", tests)
    return tuple(str(tool) for tool in dict.fromkeys((usual, *narrowed.quantities.values("tool", common))))


def _main_metric(narrowed: Narrowed, mask: BoolArray) -> str | None:
    pairs = narrowed.quantities.combinations(("metric", "test"), mask)
    return main_metric((str(metric), str(test)) for metric, test in pairs)


def _is_apart(name: str, selection: Selection, narrowed: Narrowed, sources: Sequence[Sequence[Run]]) -> bool:
    """Whether no value of this dimension of results is common to all runs; of params, to all runs of one source."""
    quantities, mask = narrowed.quantities, narrowed.left
    for filtered in ("test", name):
        if texts := selection.filter(filtered):
            print_value = dimension(filtered).parameter
            wanted = {value for value in quantities.values(filtered, mask) if print_value(value) in texts}
            mask = mask & quantities.having(filtered, wanted)
    if name != "params":
        return _no_common_value(name, selection, quantities, mask)
    # A table may show other params for each test, and for each article.
    return any(_has_test_without_common_params(_of_runs(quantities, runs), mask) for runs in sources)


def _has_test_without_common_params(quantities: Quantities, mask: BoolArray) -> bool:
    """Whether several outputs have a test, with few params, and none of these is in all of them."""
    outputs = _outputs(quantities, mask)
    present = np.concatenate([*outputs, np.array([], dtype=np.int64)])
    test, params = (quantities.columns[name].codes[present] for name in ("test", "params"))
    output = np.repeat(np.arange(len(outputs)), [len(each) for each in outputs])
    with_params = np.unique(np.stack([test, params, output]), axis=1)[:2]  # each (test, params) once for each output
    pairs, in_outputs = np.unique(with_params, axis=1, return_counts=True)
    count = len(quantities.columns["test"].values)
    of_test = np.bincount(np.unique(np.stack([test, output]), axis=1)[0], minlength=count)  # outputs with the test
    commonest = np.zeros(count, dtype=np.int64)
    np.maximum.at(commonest, pairs[0], in_outputs)
    return bool(np.any((of_test > 1) & (np.bincount(pairs[0], minlength=count) <= MOST_VALUES) & (commonest < of_test)))


def _outputs(quantities: Quantities, mask: BoolArray) -> list[IntArray]:
    """The indices of the quantities of each of the distinct parses, or of each series of a run that is alone."""
    present = [of_parse.quantities[mask[of_parse.quantities]] for of_parse in quantities.places]
    if [len(of_parse.runs) for of_parse in quantities.places] != [1]:
        return present
    codes = quantities.columns["series"].codes[present[0]]
    return [present[0][codes == code] for code in np.unique(codes)]


def _values_by_output(name: str, quantities: Quantities, mask: BoolArray) -> list[set[Entry]]:
    """The values of a dimension in each of these outputs."""
    column = quantities.columns[name]
    return [{column.values[code] for code in set(column.codes[each].tolist())} for each in _outputs(quantities, mask)]


def _of_runs(quantities: Quantities, runs: Sequence[Run]) -> Quantities:
    """The quantities with only the parses of these runs."""
    ids = {run.id for run in runs}
    return replace(quantities, places=[of_parse for of_parse in quantities.places if not ids.isdisjoint(of_parse.runs)])


def _no_common_value(name: str, selection: Selection, quantities: Quantities, mask: BoolArray) -> bool:
    # Results without a size beside those with one say nothing, unless the reader asks for both.
    asked = bool(selection.filter(name))
    of_outputs = _values_by_output(name, quantities, mask)
    sets = [values if asked else values - {None} or values for values in of_outputs]
    with_values = [values for values in sets if values]
    if len(with_values) < 2 or len(set.union(*with_values)) > MOST_VALUES:
        return False
    return not set.intersection(*with_values)
