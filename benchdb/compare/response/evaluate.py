"""Evaluates response curves: chooses what is open, reads the results, and joins them to curves with their knees."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from benchdb.compare.guard.levels import possible_levels
from benchdb.compare.query.dimensions import PARAM, dimension, key_of_param
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.query.keyed import level_of
from benchdb.compare.query.narrowed import Menu
from benchdb.compare.query.parameters import MOST_DIMENSIONS
from benchdb.compare.query.runs import of_filters, quantities_of_runs, selected_runs
from benchdb.compare.table.complete import complete, in_words
from benchdb.compare.table.evaluate import collect
from benchdb.facts.dimension import DimensionValue
from benchdb.http.requests import Reader
from benchdb.runs.costs import before_settings
from benchdb.runs.models import Run
from benchdb.runs.quantities.columns import BoolArray, Entry, Quantities
from benchdb.runs.quantities.loads import THROUGHPUTS
from benchdb.wording.words import settings_of

from .build import build_response
from .content import ResponseContent
from .selection import LATENCIES, NO_SERIES, ResponseSelection

USUAL_LATENCY = "latency_mean"


@dataclass(frozen=True, slots=True)
class ResponseMenus:
    """The possible dimensions of the levels, the metrics of both axes, and the menus of further dimensions."""

    over: Sequence[str]
    metrics: Sequence[str]
    latencies: Sequence[str]
    others: Sequence[Menu]


def evaluate_response(selection: ResponseSelection, reader: Reader) -> tuple[ResponseContent, ResponseMenus]:
    """The curves, and the possible values of each parameter. Three queries, for any number of runs, and
    one more if some of the runs have no level.

    Raises ImpossibleSelection, and MustWait.
    """
    runs = selected_runs(selection.table, reader)
    # As in tables: the menu shows all tools of the runs.
    fitting = of_filters(selection.table, runs, besides="tool")
    before_settings(fitting)
    quantities = in_words(quantities_of_runs(fitting))
    chosen, over, mask = _completed(selection, fitting, quantities)
    levelled = _with_levels(chosen.over, fitting)
    if len(levelled) < len(fitting):
        fitting = levelled
        quantities = in_words(quantities_of_runs(fitting))
        mask = quantities.having("test", chosen.filters["test"])
    if not chosen.series:
        chosen = replace(chosen, series=_series(chosen, fitting, quantities, mask) or (NO_SERIES,))
    collected = collect(chosen.table, runs, fitting, quantities)
    content = build_response(chosen, collected)
    of_test = quantities.having("test", [content.test]) & _of_tools(chosen, quantities)
    measured = quantities.values("metric", of_test)
    menus = ResponseMenus(
        over=over,
        metrics=[name for name in THROUGHPUTS if name in measured],
        latencies=[name for name in LATENCIES if name in measured],
        others=[menu for menu in collected.choices.menus if len(menu.options) > 1],
    )
    return content, menus


def _completed(
    selection: ResponseSelection, runs: Sequence[Run], quantities: Quantities
) -> tuple[ResponseSelection, list[str], BoolArray]:
    """The selection with test, both metrics and the dimension of the levels; and the possible dimensions."""
    if not len(quantities):
        raise ImpossibleSelection(["These runs have no results yet."])
    mask = _of_tools(selection, quantities)
    if tests := selection.filters.get("test"):
        mask = mask & quantities.having("test", tests)
    metric, latency = _axes(selection, quantities, mask)
    mask = mask & quantities.having("test", _tests_with(quantities, mask, metric, latency))
    levels = possible_levels(runs, quantities, mask & quantities.having("metric", [metric]))
    over = selection.over or next(iter(levels), "")
    if over not in levels:
        raise ImpossibleSelection([_no_levels(over, levels)])
    filters = dict(selection.filters)
    filters.setdefault("test", (_most_measured(quantities, mask),))
    chosen = replace(selection, metric=metric, latency=latency, over=over, filters=filters)
    return chosen, list(levels), mask


def _with_levels(over: str, runs: Sequence[Run]) -> list[Run]:
    """The runs with a number in the dimension of the levels; all of them if it is a dimension of results."""
    of_run = dimension(over).of
    return [run for run in runs if of_run is None or level_of(of_run(run)) is not None]


def _series(
    selection: ResponseSelection, runs: Sequence[Run], quantities: Quantities, mask: BoolArray
) -> tuple[str, ...]:
    """What distinguishes the runs besides their levels. Params that only repeat it distinguish nothing."""
    rows = complete(selection.table, quantities, runs).selection.rows
    without = tuple(name for name in rows if name != "params")
    of_axis = mask & quantities.having("metric", [selection.metric])
    of_axis = of_axis & quantities.having("test", selection.filters["test"])
    key = key_of_param(selection.over)
    if _determine_params(without, runs, quantities, of_axis, key):
        kept = without
    else:
        kept = (*without, *_varying_params(quantities, of_axis, key)) if key else rows
    return tuple(name for name in kept if name != selection.over)[:MOST_DIMENSIONS]


def _determine_params(
    names: Sequence[str], runs: Sequence[Run], quantities: Quantities, mask: BoolArray, but: str
) -> bool:
    """Whether runs with equal values in these dimensions have the same params `but` one, and one set of them each."""
    readers = [of_run for name in names if (of_run := dimension(name).of) is not None]
    of_parses = zip(quantities.places, quantities.values_by_parse("params", mask), strict=True)
    params = {run: values for place, values in of_parses for run in place.runs}
    found: dict[tuple[DimensionValue, ...], set[tuple[tuple[str, str], ...]]] = defaultdict(set)
    for run in runs:
        found[tuple(read(run) for read in readers)] |= {_without(text, but) for text in params.get(run.id, ())}
    return all(len(values) <= 1 for values in found.values())


def _without(params: Entry, but: str) -> tuple[tuple[str, str], ...]:
    return tuple((key, value) for key, value in settings_of(str(params or "")).items() if key != but)


def _varying_params(quantities: Quantities, mask: BoolArray, but: str) -> list[str]:
    """The params that vary `but` one, each as a dimension of its own."""
    settings = [dict(_without(text, but)) for text in quantities.values("params", mask)]
    keys = dict.fromkeys(key for each in settings for key in each)
    return [f"{PARAM}:{key}" for key in keys if len({each.get(key) for each in settings}) > 1]


def _of_tools(selection: ResponseSelection, quantities: Quantities) -> BoolArray:
    tools = selection.filters.get("tool")
    return quantities.having("tool", tools) if tools else quantities.everything()


def _axes(selection: ResponseSelection, quantities: Quantities, mask: BoolArray) -> tuple[str, str]:
    """The metrics of both axes: throughput or rate, and the mean latency, that the same test has."""
    found: dict[str, set[str]] = {}
    for test, metric in quantities.combinations(("test", "metric"), mask):
        found.setdefault(str(test), set()).add(str(metric))
    latencies = (USUAL_LATENCY, *(name for name in LATENCIES if name != USUAL_LATENCY))
    for metric in [selection.metric] if selection.metric else THROUGHPUTS:
        for latency in [selection.latency] if selection.latency else latencies:
            if any({metric, latency} <= metrics for metrics in found.values()):
                return metric, latency
    wanted = " and ".join(filter(None, (selection.metric or "throughput", selection.latency or "latency")))
    raise ImpossibleSelection([f"No test of these runs has {wanted}; a response curve needs both."])


def _tests_with(quantities: Quantities, mask: BoolArray, *metrics: str) -> set[str]:
    of_each = [quantities.values("test", mask & quantities.having("metric", [metric])) for metric in metrics]
    return {str(test) for test in of_each[0] if test in of_each[1]}


def _most_measured(quantities: Quantities, mask: BoolArray) -> str:
    """The test that most runs have; of several, the first in the documents."""
    weights = quantities.weights("test", mask)
    return str(max(weights, key=lambda test: weights[test]))


def _no_levels(over: str, levels: dict[str, int]) -> str:
    possible = ", ".join(levels)
    if over:
        return f"over cannot be {over}: it needs two levels that are numbers; possible are {possible or 'none'}."
    return (
        "These runs have one level of load each and in common. A response curve needs several: of threads, depth, rate "
        "or another number."
    )
