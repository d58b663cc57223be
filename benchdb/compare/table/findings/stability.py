"""Findings about unstable rounds: values that drift or have several modes in more cells than chance explains."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
import scipy

from benchdb.compare.table.grid import Grid
from benchdb.stats import matrix, summarise
from benchdb.stats.arrays import FloatArray
from benchdb.stats.moments import moments
from benchdb.stats.summary.diagnosis import DIAGNOSTIC_LEVEL, MODES_LEVEL

from .evidence import FindingEvidence
from .finding import FindingWriter, TableFinding, listed

LEVEL = 0.05  # of p times the number of rows and warnings (Bonferroni)
FEWEST_VALUES = 6  # of fewer values, no order is rare enough for a warning
# By warning: the highest share of false alarms, and what the sentence says of the values.
WARNING_RULES = {
    "drift": (DIAGNOSTIC_LEVEL, "the values rise or fall over the rounds"),
    "autocorrelated": (DIAGNOSTIC_LEVEL, "each value depends on the one before it"),
    "multimodal": (MODES_LEVEL, "the values come in several groups"),
}
CENTRE = 100.0  # of standardized means, which summaries take as positive values


def stability(table: Grid, evidence: FindingEvidence) -> FindingWriter:
    """The number of cells with each warning, of all values of the factor that have it.

    Two tests must agree, and p is the larger one: that of the number of cells against the rate of false alarms, and
    that of the means of all cells in each round. The first one alone takes cells of the same rounds for independent.
    """
    cells: dict[str, list[int]] = defaultdict(list)
    warned: dict[tuple[str, str], list[int]] = defaultdict(list)
    for index, cell in enumerate(table.cells):
        if (cell.n or 0) >= FEWEST_VALUES and cell.values:
            value = table.value_of(index)
            cells[value].append(index)
            for code in {warning.code for warning in cell.warnings}:
                warned[value, code].append(index)
    tested: dict[str, dict[str, float]] = defaultdict(dict)
    # Only flagged cells appear in the sentence, but all values were examined for all warnings.
    examined = len(cells) * len(WARNING_RULES)
    for value, of_value in cells.items():
        counts = {code: len(warned.get((value, code), ())) for code in WARNING_RULES}
        p_of_counts = {
            code: examined * scipy.special.bdtrc(number - 1, len(of_value), WARNING_RULES[code][0]).item()
            for code, number in counts.items()
            if number
        }
        if passed := [code for code, p in p_of_counts.items() if p < LEVEL]:
            p_of_means = _p_of_means(table, of_value)
            for code in passed:
                if (p := max(p_of_counts[code], examined * p_of_means[code])) < LEVEL:
                    tested[code][value] = p

    def write() -> Iterator[TableFinding]:
        for code, found in tested.items():
            # Values that drift also depend on the ones before them.
            values = [value for value in found if code != "autocorrelated" or value not in tested.get("drift", ())]
            if values:
                flagged = [cell for value in values for cell in warned[value, code]]
                counted = [cell for value in values for cell in cells[value]]
                text = f"{listed(values)}: {WARNING_RULES[code][1]} in {len(flagged)} of {len(counted)} cells."
                p = max(found[value] for value in values)
                yield TableFinding(
                    "stability", values, text, flagged, p, float(len(flagged)), counted=counted, compares=False
                )

    return write


def _p_of_means(table: Grid, cells: Sequence[int]) -> dict[str, float]:
    """The p of each warning about the means of rounds: the least of all runs, times their number (Bonferroni)."""
    runs: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for cell in cells:
        runs[tuple(table.cells[cell].runs)].append(cell)
    found = summarise(matrix([_means(table, of_run).tolist() for of_run in runs.values()]))
    p_of_runs = {"drift": found.drift.p, "autocorrelated": found.autocorrelation.p, "multimodal": found.modes.p}
    return {code: min(1.0, float(np.nanmin(p, initial=1.0)) * len(runs)) for code, p in p_of_runs.items()}


def _means(table: Grid, cells: Sequence[int]) -> FloatArray:
    """The mean by round of the standardized logarithms of cells of the same rounds; more is better."""
    values = matrix([table.cells[cell].values or () for cell in cells])
    logs = np.log(np.where(values > 0, values, np.nan))
    of_cell = moments(logs)
    signs = np.array([1.0 if table.measures[cell].higher_is_better else -1.0 for cell in cells])
    varying = of_cell.sd > 0
    scores = signs[varying, np.newaxis] * (logs[varying] - of_cell.mean[varying, np.newaxis])
    return CENTRE + moments((scores / of_cell.sd[varying, np.newaxis]).T).mean
