"""Findings about the effect of a size, a number of threads or another ordered dimension on each line of the table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from math import log

from benchdb.stats import matrix
from benchdb.stats.comparing.selective import select

from .along_words import of_changing, of_unmoved, say_left_out
from .claims import ShapeClaim
from .evidence import FindingEvidence
from .finding import FindingWriter, TableFinding
from .lines import LineGroup, TableLine, line_groups
from .table_cells import TableCells

TIER, TIER_SAME = 40, 50


def along(table: TableCells, evidence: FindingEvidence) -> FindingWriter:
    """Findings about each ordered dimension on an axis of the table, except the factor."""
    groups = line_groups(table, evidence)

    def write() -> Iterator[TableFinding]:
        _find_changes(table, evidence, groups)
        unmoved: dict[tuple[str, ...], list[LineGroup]] = defaultdict(list)
        for group in groups:
            if any(line.changes for line in group.lines):
                yield from _changing(table, evidence, group)
            elif all(line.bound(evidence) is not None for line in group.lines):
                first, last = group.ends
                unmoved[group.dimension, f"{first} to {last}", say_left_out(group, group.lines)].append(group)
        for (_, *ends), same in unmoved.items():
            yield _unmoved(table, evidence, "".join(ends), same)

    return write


def _find_changes(table: TableCells, evidence: FindingEvidence, groups: Sequence[LineGroup]) -> None:
    """Set the changes of all lines by selective inference over the groups, and p of each group."""
    if not groups:
        return
    selected = select(matrix([[line.p(evidence) for line in group.lines] for group in groups]))
    columns = (selected.p.tolist(), selected.level.tolist(), selected.passed.tolist())
    changing = []
    for group, p, level, passed in zip(groups, *columns, strict=True):
        group.p = p
        for line, flag in zip(group.lines, passed, strict=False):
            if flag:
                line.find_turns(evidence, level)
                changing += [line] if line.turns else []
    steps = [(line.pairs[step], 1 - line.level * line.share(step)) for line in changing for step in line.steps]
    if steps:
        changes = iter(evidence.changes(*zip(*steps, strict=True)))
        for line in changing:
            line.confirm([*islice(changes, len(line.steps))], table.margin)


def _changing(table: TableCells, evidence: FindingEvidence, group: LineGroup) -> Iterator[TableFinding]:
    """A sentence for each shape that lines of the group have; each names or counts the other lines too."""
    by_shape: dict[tuple[object, ...], list[TableLine]] = defaultdict(list)
    for line in group.lines:
        if line.changes:
            by_shape[line.changes[0].better, *group.turns(line)].append(line)
    for lines in by_shape.values():
        lines.sort(key=lambda line: -abs(log(line.changes[0].ratio)))
        yield TableFinding(
            TIER,
            of_changing(table, evidence, group, lines),
            [entry for line in lines for change in line.changes for entry in (change.against, change.entry)],
            group.p,
            max(abs(log(change.ratio)) for line in lines for change in line.changes),
            [entry for line in group.lines for entry in line.all_entries],
            claims=_claims(group, lines),
        )


def _unmoved(table: TableCells, evidence: FindingEvidence, ends: str, groups: Sequence[LineGroup]) -> TableFinding:
    lines = [line for group in groups for line in group.lines]
    return TableFinding(
        TIER_SAME,
        of_unmoved(table, evidence, ends, groups),
        [entry for line in lines for entry in line.entries],
        weight=float(len(lines)),
        counted=[entry for line in lines for entry in line.all_entries],
        claims=[claim for group in groups for claim in _claims(group, group.lines)],
    )


def _claims(group: LineGroup, lines: Sequence[TableLine]) -> list[ShapeClaim]:
    return [
        ShapeClaim(
            group.dimension,
            line.value,
            [entry.key for entry in line.entries],
            line.changes,
            [entry.key for entry in line.unsure],
        )
        for line in lines
    ]
