"""Evaluates a selection to its table: reads the runs, completes the selection, and checks the size of the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import numpy as np

from benchagent.formats.packing.histogram import WITH_HISTOGRAM
from benchdb.compare.query.errors import CHANGED, ImpossibleSelection
from benchdb.compare.query.runs import absent, bound, of_filters, quantities_of_runs, selected_runs
from benchdb.compare.query.selection import Selection
from benchdb.compare.verdicts.tails import NO_DISTRIBUTIONS, Distributions, has_tail
from benchdb.http.requests import Reader
from benchdb.runs.costs import before_cells, before_distributions, before_settings
from benchdb.runs.distributions.reading import distributions_beside
from benchdb.runs.models import Run
from benchdb.runs.quantities.columns import Quantities
from benchdb.runs.queries import Measured, measured
from benchdb.wording.numbers import plural, say_number

from .build import build_table
from .complete import Choices, complete, in_words
from .content import TableContent

MOST_RESULTS = 5000
MOST_VALUES = 1_000_000
MOST_DISTRIBUTIONS = 20_000


@dataclass(frozen=True, slots=True)
class Collected:
    """The completed selection, the runs that fit it, their results, and notes on the runs that are in no cell."""

    choices: Choices
    shown: Sequence[Run]
    results: Sequence[Measured]
    left_out: list[str]


def evaluate(selection: Selection, reader: Reader) -> tuple[TableContent, Choices]:
    """The table, and its choices. Three queries, for any number of runs and results, and one if there are
    distributions of latencies.

    Raises ImpossibleSelection, and MustWait.
    """
    runs = selected_runs(selection, reader)
    # The filter by tool is not applied yet, because the menu shows all tools of the runs.
    fitting = of_filters(selection, runs, besides="tool")
    before_settings(fitting)
    collected = collect(selection, runs, fitting, in_words(quantities_of_runs(fitting)))
    choices, shown, results = collected.choices, collected.shown, collected.results
    distributions, too_many = _distributions(choices, shown, results)
    table = build_table(choices, shown, results, collected.left_out, too_many, distributions)
    return table, replace(choices, runs=runs)


def collect(selection: Selection, runs: Sequence[Run], fitting: Sequence[Run], quantities: Quantities) -> Collected:
    """The results of a selection; one query. Raises ImpossibleSelection, and MustWait.

    `runs` are those of the selection, `fitting` those that pass its filters besides the tool, and `quantities` those of
    the fitting runs, `in_words`.
    """
    choices = complete(selection, quantities, fitting)
    chosen = choices.selection
    shown = of_filters(chosen, fitting)
    bound(shown)
    _bound(choices.results, shown)
    # The ordinals are those of the primary key; without them all results of the runs would be read.
    filters = {"ordinal": choices.ordinals, **choices.places}
    results = measured((run.id for run in shown), filters, sequential=choices.sequential)
    if not results:
        raise ImpossibleSelection([CHANGED])
    notes = _absent(selection, runs)
    notes += _left_out(fitting, shown, {result.run_id for result in results}, chosen)
    return Collected(choices, shown, results, notes)


def _distributions(
    choices: Choices, runs: Sequence[Run], results: Sequence[Measured]
) -> tuple[Distributions, list[str]]:
    """The distributions of latencies of these results; none if they are too many, and a note."""
    of_tails = [result for result in results if result.values and has_tail(result.metric)]
    quantities = choices.quantities
    alike = [quantities.having(name, choices.places[name]) for name in choices.places if name != "metric"]
    means = np.logical_and.reduce([quantities.having("metric", [WITH_HISTOGRAM]), *alike])
    if not of_tails or not means.any():
        return NO_DISTRIBUTIONS, []
    rounds = sum(len(result.values or []) for result in of_tails)
    if rounds > MOST_DISTRIBUTIONS:
        figures = f"{say_number(rounds, 0)} rounds, {say_number(MOST_DISTRIBUTIONS, 0)} at most"
        return NO_DISTRIBUTIONS, [f"Tails of latencies are not compared: {figures}."]
    before_distributions(rounds)
    return distributions_beside(of_tails, quantities.ordinals(means)), []


def _absent(selection: Selection, runs: Sequence[Run]) -> list[str]:
    """A note on the runs in the address that are missing. It does not say whether they exist."""
    missing = absent(selection, runs)
    return (
        [f"Left out: {plural(len(missing), 'run')} of this address, deleted or not visible to you."] if missing else []
    )


def _left_out(fitting: Sequence[Run], shown: Sequence[Run], with_results: set[UUID], chosen: Selection) -> list[str]:
    """Notes on the selected runs that are in no cell, with the reasons."""
    shown_ids = {run.id for run in shown}
    of_other_tools = [run for run in fitting if run.id not in shown_ids]
    without = [run for run in shown if run.id not in with_results]
    notes = []
    if of_other_tools and not chosen.campaigns:  # a campaign has the runs of all its tools
        tools = ", ".join(dict.fromkeys(run.tool for run in of_other_tools))
        notes.append(f"Left out: {plural(len(of_other_tools), 'run')} of another tool ({tools}).")
    if without:
        notes.append(f"Left out: {plural(len(without), 'run')} without a result for what is chosen.")
    return notes


def _bound(results: int, runs: Sequence[Run]) -> None:
    """Raise ImpossibleSelection if the table is too large for a page or a request, and MustWait if others are too."""
    if results > MOST_RESULTS:
        raise ImpossibleSelection(
            [f"This table would hold {results} results, {MOST_RESULTS} at most: choose fewer runs, tests or sizes."]
        )
    values = results * max((run.round_count for run in runs), default=0)
    if values > MOST_VALUES:
        raise ImpossibleSelection(
            [f"This table would compare {values} values, {MOST_VALUES} at most: choose fewer runs, tests or sizes."]
        )
    before_cells(results, values)
