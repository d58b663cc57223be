"""Findings about unstable rounds: values that drift or have several modes in more cells than chance explains."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import scipy

from benchdb.stats.summary.diagnosis import DIAGNOSTIC_LEVEL, MODES_LEVEL

from .evidence import FindingEvidence
from .finding import FindingWriter, TableFinding
from .table_cells import MeasuredCell, TableCells

TIER = 55
LEVEL = 0.05  # of p times the number of rows and warnings (Bonferroni)
FEWEST_VALUES = 6  # of fewer values, no order is rare enough for a warning
# By warning: the highest share of false alarms, and the sentence if the warning is more frequent.
WARNING_RULES = {
    "drift": (DIAGNOSTIC_LEVEL, "{value}: the values rise or fall over the rounds in {flagged} of {total} cells."),
    "autocorrelated": (
        DIAGNOSTIC_LEVEL,
        "{value}: each value depends on the one before it in {flagged} of {total} cells.",
    ),
    "multimodal": (MODES_LEVEL, "{value}: the values come in several groups in {flagged} of {total} cells."),
}


def stability(table: TableCells, evidence: FindingEvidence) -> FindingWriter:
    """The number of cells with each warning, by value of the factor, tested against the rate of false alarms."""
    cells: dict[str, list[MeasuredCell]] = defaultdict(list)
    warned: dict[tuple[str, str], list[MeasuredCell]] = defaultdict(list)
    for entry in table.entries:
        if (entry.cell.n or 0) >= FEWEST_VALUES and entry.cell.values:
            value = table.value(entry)
            cells[value].append(entry)
            if warnings := entry.cell.warnings:
                for code in {warning.code for warning in warnings}:
                    warned[value, code].append(entry)
    tested = []
    for value, entries in cells.items():
        for code, (level, sentence) in WARNING_RULES.items():
            if flagged := warned.get((value, code)):
                # Only flagged cells appear in the sentence, but all values were examined for all warnings.
                p = scipy.special.bdtrc(len(flagged) - 1, len(entries), level).item() * len(cells) * len(WARNING_RULES)
                tested.append((value, sentence, flagged, entries, p))

    def write() -> Iterator[TableFinding]:
        for value, sentence, flagged, entries, p in tested:
            if p < LEVEL:
                text = sentence.format(value=value, flagged=len(flagged), total=len(entries))
                yield TableFinding(TIER, text, flagged, p, float(len(flagged)), counted=entries, compares=False)

    return write
