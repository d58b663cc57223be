"""Findings that need no statistical test: cells that failed, and cells that measured memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from benchdb.compare.table.grid import Grid
from benchdb.runs.cells.cell_context import first_words
from benchdb.wording.numbers import plural
from benchdb.wording.words import upper

from .evidence import FindingEvidence
from .finding import Clause, FindingWriter, TableFinding, listed, say


def plain(table: Grid, evidence: FindingEvidence) -> FindingWriter:
    """Findings that follow directly from the cells."""

    def write() -> Iterator[TableFinding]:
        yield from _unlike(table)
        yield from _failed(table)
        yield from _cached(table)

    return write


def _unlike(table: Grid) -> Iterator[TableFinding]:
    """Rivals that cannot be compared, because some measured memory and some the device."""
    mixed_contests: list[tuple[str, list[str], list[str], list[int]]] = []
    for rivals in table.contests:
        by_verdict: dict[str, list[str]] = defaultdict(list)
        for value, cell in rivals.items():
            if table.has_mean[cell]:
                by_verdict[table.cells[cell].cache.verdict].append(value)
        if by_verdict.get("cached") and by_verdict.get("device"):
            label = table.words(next(iter(rivals.values())))
            mixed_contests.append((label, by_verdict["cached"], by_verdict["device"], list(rivals.values())))
    if not mixed_contests:
        return
    label, cached, device, cells = mixed_contests[0]
    more = f", and likewise in {plural(len(mixed_contests) - 1, 'other place')}" if len(mixed_contests) > 1 else ""
    text = f"{upper(label)}: {listed(cached)} measured memory, {listed(device)} the device{more}. "
    all_cells = [*cells, *(cell for *_, others in mixed_contests[1:] for cell in others)]
    said = f"{text}These cannot be compared.".lstrip(": ")
    yield TableFinding("unlike", [*cached, *device], said, all_cells, compares=False)


def _failed(table: Grid) -> Iterator[TableFinding]:
    """`ext2 failed in create, 32 000 files: too many links.`"""
    by_failure: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for index, cell in enumerate(table.cells):
        if cell.status == "failed":
            by_failure[first_words(cell.error)][table.value_of(index)].append(index)
    for words, by_value in by_failure.items():
        cells = [cell for of_value in by_value.values() for cell in of_value]
        where = listed(dict.fromkeys(filter(None, map(table.words, cells))))
        text = say(f"{listed(by_value)} failed{f' in {where}' if where else ''}", Clause(": ", words.rstrip(".")))
        yield TableFinding("failed", list(by_value), text, cells, weight=float(len(cells)), compares=False)


def _cached(table: Grid) -> Iterator[TableFinding]:
    measured = np.flatnonzero(table.has_mean).tolist()
    cached = [cell for cell in measured if table.cells[cell].cache.verdict == "cached"]
    if not cached:
        return
    if len(cached) == len(measured):
        text = "All cells measured memory, not the device"
    else:
        text = f"{len(cached)} of {len(measured)} cells measured memory, not the device"
    yield TableFinding(
        "cached", [], f"{text}: they say nothing about the disks.", cached, counted=measured, compares=False
    )
