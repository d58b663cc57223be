"""What needs no test to be told: cells that failed, and cells that measured memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from benchdb.runs.cells.cell_context import first_words
from benchdb.wording.numbers import plural

from .evidence import FindingEvidence
from .finding import FindingWriter, TableFinding, listed
from .table_cells import MeasuredCell, TableCells

TIER_UNLIKE, TIER_FAILED, TIER_CACHED = 5, 10, 45


def plain(table: TableCells, evidence: FindingEvidence) -> FindingWriter:
    """Findings that are read off the cells."""

    def write() -> Iterator[TableFinding]:
        yield from _unlike(table)
        yield from _failed(table)
        yield from _cached(table)

    return write


def _unlike(table: TableCells) -> Iterator[TableFinding]:
    """Rivals of which some measured memory and some the device: whatever their ratio, it is not the factor's."""
    found: list[tuple[str, list[str], list[str], list[MeasuredCell]]] = []
    for rivals in table.rivals.values():
        by_verdict: dict[str, list[str]] = defaultdict(list)
        for value, place in rivals.items():
            if place.cell["mean"] is not None:
                by_verdict[place.cell["cache"]["verdict"]].append(value)
        if by_verdict.get("cached") and by_verdict.get("device"):
            where = table.words(next(iter(rivals.values())))
            found.append((where, by_verdict["cached"], by_verdict["device"], list(rivals.values())))
    if not found:
        return
    where, cached, device, places = found[0]
    more = f", and likewise in {plural(len(found) - 1, 'other place')}" if len(found) > 1 else ""
    text = f"{where[:1].upper() + where[1:]}: {listed(cached)} measured memory, {listed(device)} the device{more}. "
    told = [*places, *(place for *_, own in found[1:] for place in own)]
    yield TableFinding(TIER_UNLIKE, f"{text}These cannot be compared.".lstrip(": "), told, compares=False)


def _failed(table: TableCells) -> Iterator[TableFinding]:
    """`ext2 failed in create, 32 000 files: too many links.`"""
    found: dict[tuple[str, str], list[MeasuredCell]] = defaultdict(list)
    for place in table.places:
        if place.cell["status"] == "failed":
            found[table.value(place), first_words(place.cell["error"])].append(place)
    for (value, words), places in found.items():
        wheres = [where for place in places if (where := table.words(place))]
        where = f" in {listed(wheres, most=3)}" if wheres else ""
        text = f"{value} failed{where}: {words.rstrip('.')}."
        yield TableFinding(TIER_FAILED, text, places, weight=float(len(places)), compares=False)


def _cached(table: TableCells) -> Iterator[TableFinding]:
    measured = [place for place in table.places if place.cell["mean"] is not None]
    cached = [place for place in measured if place.cell["cache"]["verdict"] == "cached"]
    if not cached:
        return
    if len(cached) == len(measured):
        text = "All cells measured memory, not the device"
    else:
        text = f"{len(cached)} of {len(measured)} cells measured memory, not the device"
    yield TableFinding(
        TIER_CACHED, f"{text}: they say nothing about the disks.", cached, counted=measured, compares=False
    )
