"""Warnings about the order in which the runs of a table were measured."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from benchagent.formats.vocabulary import METRICS
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.verdict import CellWarning
from benchdb.runs.cells.warnings import with_sentence
from benchdb.runs.facts.order import Values, order_warnings
from benchdb.runs.models import Run


def warnings_of_order(runs: Iterable[Run], cells: Iterable[Cell]) -> list[CellWarning]:
    """The warnings about these runs.

    The values of a cell of several runs are means, which have no position. Where the direction of the metrics differs,
    that of the first cell counts, because times and rates would cancel each other.
    """
    results: dict[str, list[Values]] = defaultdict(list)
    single = [cell for cell in cells if len(cell.runs) == 1 and cell.values]
    for cell in single:
        if METRICS[cell.metric].higher_is_better == METRICS[single[0].metric].higher_is_better:
            results[cell.runs[0]].append(cell.values or [])
    return [with_sentence(warning) for warning in order_warnings(runs, results)]
