"""Rounds that are not alike: values that drift, or come in several modes, in more cells of a row than chance has."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from scipy import stats

from benchdb.stats.diagnosis import DIAGNOSTIC_LEVEL

from .evidence import Evidence
from .finding import Finding, Tell
from .places import Place, Table

TIER = 55
FEWEST_VALUES = 6  # with fewer no order of values is rare enough to warn of
SAID = {
    "drift": "{value}: the values rise or fall over the rounds in {flagged} of {total} cells.",
    "autocorrelated": "{value}: each value depends on the one before it in {flagged} of {total} cells.",
    "multimodal": "{value}: the values come in several groups in {flagged} of {total} cells.",
}


def stability(table: Table, evidence: Evidence) -> Tell:
    """Each warning of a row's cells, as many as it has: without a cause one cell in a hundred warns."""
    cells: dict[str, list[Place]] = defaultdict(list)
    for place in table.places:
        if (place.cell["n"] or 0) >= FEWEST_VALUES and place.cell["values"]:
            cells[table.value(place)].append(place)
    asked = []
    for value, places in cells.items():
        for code in SAID:
            flagged = [place for place in places if any(w["code"] == code for w in place.cell["warnings"])]
            if flagged:
                p = float(stats.binom.sf(len(flagged) - 1, len(places), DIAGNOSTIC_LEVEL))
                asked.append((value, code, flagged, len(places), evidence.given(p)))

    def tell() -> Iterator[Finding]:
        for value, code, flagged, total, claim in asked:
            if evidence.holds(claim):
                text = SAID[code].format(value=value, flagged=len(flagged), total=total)
                yield Finding(TIER, text, flagged, evidence.p_adjusted(claim), float(len(flagged)))

    return tell
