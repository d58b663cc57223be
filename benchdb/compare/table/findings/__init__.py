"""Findings: sentences with numbers that a table writes about itself, each linked to its cells.

`findings(content)` is a pure function of a table's content (schema `benchdb.table/2`). Every finding that claims a
difference passed a test in a family of its own, and none says what the table's own verdicts do not: docs/findings.md.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from benchdb.compare.content import Content
from benchdb.compare.verdicts.pairs import Stacked

from .along import along
from .baseline import against_baseline
from .best import best
from .evidence import FindingEvidence
from .finding import TableFinding
from .stability import stability
from .table_cells import TableCells
from .untested import plain

KINDS = (plain, against_baseline, best, along, stability)
FIRST_OF_KIND = 3  # so many of one kind stand before those of the next; the rest follows at the end
MOST_FINDINGS = 40


def findings(content: Content, stacked: Stacked | None = None) -> list[dict[str, Any]]:
    """`[{"text", "cells": ["G-R-C", …], "counted", "p_adjusted", "warnings"}]`, what matters most first.

    `cells` and `counted` are all that the sentence rests on: those it speaks of, and those it only counts. `p_adjusted`
    is None where nothing was tested. `warnings` are what verdicts on these cells are warned of. `stacked` are the
    table's cells, where somebody has them as columns already.
    """
    table = TableCells(content)
    evidence = FindingEvidence(table, stacked)
    writers = [kind(table, evidence) for kind in KINDS]
    evidence.weigh()
    found = sorted((each for write in writers for each in write()), key=lambda each: (each.tier, -each.weight))
    return [each.as_dict() for each in _mixed(found)[:MOST_FINDINGS]]


def _mixed(found: list[TableFinding]) -> list[TableFinding]:
    """The first few of each kind, then the others."""
    seen: Counter[int] = Counter()
    first: list[TableFinding] = []
    rest: list[TableFinding] = []
    for each in found:
        seen[each.tier] += 1
        (first if seen[each.tier] <= FIRST_OF_KIND else rest).append(each)
    return [*first, *rest]
