"""Findings: sentences with numbers about a table, each linked to its cells.

`findings(table)` is a pure function of a table's grid. Every finding that claims a
difference passed a test in the family that it is about, and none contradicts the table's verdicts: docs/findings.md.
`table_findings` has the same findings with their claims as data.
"""

from __future__ import annotations

from collections import Counter

from benchdb.compare.table.content import Finding
from benchdb.compare.table.grid import Grid
from benchdb.stats import Cells

from .along import along
from .baseline import against_baseline
from .best import best
from .evidence import FindingEvidence
from .finding import KINDS, TableFinding
from .stability import stability
from .untested import plain

FINDERS = (plain, against_baseline, best, along, stability)
FIRST_OF_KIND = 3  # findings of one kind before those of the next; the rest follows at the end
MOST_FINDINGS = 40


def findings(table: Grid, columns: Cells | None = None) -> list[Finding]:
    """The findings about a table, the most important first; a caller may have its cells as `columns` for tests."""
    return [finding.for_content(table) for finding in table_findings(table, columns)]


def table_findings(table: Grid, columns: Cells | None = None) -> list[TableFinding]:
    """The findings with their claims."""
    evidence = FindingEvidence(table, columns)
    writers = [finder(table, evidence) for finder in FINDERS]
    evidence.weigh()
    found = [finding for write in writers for finding in write()]
    in_order = sorted(found, key=lambda finding: (KINDS.index(finding.kind), -finding.weight))
    return _mixed(in_order)[:MOST_FINDINGS]


def _mixed(in_order: list[TableFinding]) -> list[TableFinding]:
    """The first few findings of each kind, then the others."""
    seen: Counter[str] = Counter()
    first: list[TableFinding] = []
    rest: list[TableFinding] = []
    for finding in in_order:
        seen[finding.kind] += 1
        (first if seen[finding.kind] <= FIRST_OF_KIND else rest).append(finding)
    return [*first, *rest]
