"""Rounds that are not alike: values that drift, or come in several modes, in more cells of a row than chance has."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from scipy import special

from benchdb.stats.summary.diagnosis import DIAGNOSTIC_LEVEL, MODES_LEVEL

from .evidence import FindingEvidence
from .finding import FindingWriter, TableFinding
from .table_cells import MeasuredCell, TableCells

TIER = 55
FEWEST_VALUES = 6  # with fewer no order of values is rare enough to warn of
# How often each warns without a cause, at most, and what is said where it does so more often.
SAID = {
    "drift": (DIAGNOSTIC_LEVEL, "{value}: the values rise or fall over the rounds in {flagged} of {total} cells."),
    "autocorrelated": (
        DIAGNOSTIC_LEVEL,
        "{value}: each value depends on the one before it in {flagged} of {total} cells.",
    ),
    "multimodal": (MODES_LEVEL, "{value}: the values come in several groups in {flagged} of {total} cells."),
}


def stability(table: TableCells, evidence: FindingEvidence) -> FindingWriter:
    """Each warning of a row's cells, as many as it has, against how many would warn without a cause."""
    cells: dict[str, list[MeasuredCell]] = defaultdict(list)
    warned: dict[tuple[str, str], list[MeasuredCell]] = defaultdict(list)
    for place in table.places:
        if (place.cell["n"] or 0) >= FEWEST_VALUES and place.cell["values"]:
            value = table.value(place)
            cells[value].append(place)
            if warnings := place.cell["warnings"]:
                for code in {warning["code"] for warning in warnings}:
                    warned[value, code].append(place)
    asked = []
    for value, places in cells.items():
        for code, (level, sentence) in SAID.items():
            if flagged := warned.get((value, code)):
                # Only what was flagged is told, but every row was looked at, for each of the warnings.
                p = special.bdtrc(len(flagged) - 1, len(places), level).item() * len(cells) * len(SAID)
                asked.append((value, sentence, flagged, places, evidence.given(p)))

    def write() -> Iterator[TableFinding]:
        for value, sentence, flagged, places, claim in asked:
            if evidence.holds(claim):
                text = sentence.format(value=value, flagged=len(flagged), total=len(places))
                p, weight = evidence.p_adjusted(claim), float(len(flagged))
                yield TableFinding(TIER, text, flagged, p, weight, counted=places, compares=False)

    return write
