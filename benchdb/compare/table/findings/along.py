"""Findings about the effect of a size, a number of threads or another ordered dimension on each line of the table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from math import log

import numpy as np

from benchdb.compare.table.grid import Grid
from benchdb.stats import matrix
from benchdb.stats.comparing.selective import select

from .along_words import left_out_of, of_changing, of_unmoved, shape_of
from .claims import ShapeClaim
from .evidence import FindingEvidence
from .finding import FindingWriter, TableFinding
from .lines import LineGroup, TableLine, line_groups

PlacedLine = tuple[LineGroup, TableLine]


def along(table: Grid, evidence: FindingEvidence) -> FindingWriter:
    """Findings about each ordered dimension on an axis of the table, except the factor."""
    groups = line_groups(table, evidence)

    def write() -> Iterator[TableFinding]:
        _find_changes(table, evidence, groups)
        shapes: dict[tuple[object, ...], list[PlacedLine]] = defaultdict(list)
        unmoved: dict[tuple[object, ...], list[LineGroup]] = defaultdict(list)
        for group in groups:
            for line in group.lines:
                if line.changes:
                    shapes[group.dimension, *shape_of(group, line)].append((group, line))
            if all(line.bound(evidence) is not None for line in group.lines):
                unmoved[group.dimension, *group.ends, *left_out_of([group])].append(group)
        for lines, parts in _with_parts([*shapes.values()]):
            yield _changing(table, evidence, lines, parts)
        for same in unmoved.values():
            yield _unmoved(table, evidence, same)

    return write


def _find_changes(table: Grid, evidence: FindingEvidence, groups: Sequence[LineGroup]) -> None:
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
                line.find_turns(evidence, level, table.content.margin)
                changing += [line] if line.turns else []
    steps = [(line.pairs[step], 1 - line.level * line.share(step)) for line in changing for step in line.steps]
    if steps:
        changes = iter(evidence.changes(*zip(*steps, strict=True)))
        for line in changing:
            line.confirm([*islice(changes, len(line.steps))], table.content.margin)


def _with_parts(shapes: Sequence[list[PlacedLine]]) -> list[tuple[list[PlacedLine], list[PlacedLine]]]:
    """The lines of each shape, with those that show a part of it: one of its rises or falls, or its ends."""
    found: list[tuple[list[PlacedLine], list[PlacedLine]]] = []
    for lines in sorted(shapes, key=lambda lines: (-len(lines[0][1].turns), -len(lines))):
        whole = next((parts for other, parts in found if _is_part(lines[0], other[0])), None)
        if whole is None:
            found.append((lines, []))
        else:
            whole += lines
    return found


def _is_part(part: PlacedLine, whole: PlacedLine) -> bool:
    """Whether a single change is inside those of the other line, and no confirmed difference contradicts them."""
    (group, line), (other, changing) = part, whole
    inside = {*group.turns(line)} <= {*other.labels[min(other.places(changing)) : max(other.places(changing)) + 1]}
    same_unit = line.changes[0].higher_is_better == changing.changes[0].higher_is_better
    if group.dimension != other.dimension or len(line.turns) > 2 or not inside or not same_unit:
        return False
    levels = np.cumsum([0.0, *(log(change.ratio) for change in changing.changes)])
    for pair, sign in line.signs.items():
        labels = [line.labels[place] for place in pair]
        first, last = np.interp([other.labels.index(label) for label in labels], other.places(changing), levels)
        if (last - first) * sign < 0:
            return False
    return True


def _changing(
    table: Grid, evidence: FindingEvidence, lines: list[PlacedLine], parts: Sequence[PlacedLine]
) -> TableFinding:
    """The finding about all lines of a shape, which names or counts the other lines of their groups."""
    lines.sort(key=lambda placed: -abs(log(placed[1].changes[0].ratio)))
    told = [*lines, *parts]
    groups = list(dict.fromkeys(group for group, _ in told))
    changes = [change for _, line in told for change in line.changes]
    return TableFinding(
        "along",
        list(dict.fromkeys(line.value for _, line in told)),
        of_changing(table, evidence, groups, lines, parts),
        [cell for change in changes for cell in (change.against, change.cell)],
        max(group.p for group in groups),
        max(abs(log(change.ratio)) for change in changes),
        [cell for group in groups for line in group.lines for cell in line.all_cells],
        claims=[claim for group, line in told for claim in _claims(group, [line])],
    )


def _unmoved(table: Grid, evidence: FindingEvidence, groups: Sequence[LineGroup]) -> TableFinding:
    lines = [line for group in groups for line in group.lines]
    return TableFinding(
        "same_along",
        list(dict.fromkeys(line.value for line in lines)),
        of_unmoved(table, evidence, groups),
        [cell for line in lines for cell in line.cells],
        weight=float(len(lines)),
        counted=[cell for line in lines for cell in line.all_cells],
        claims=[claim for group in groups for claim in _claims(group, group.lines)],
    )


def _claims(group: LineGroup, lines: Sequence[TableLine]) -> list[ShapeClaim]:
    return [
        ShapeClaim(
            group.dimension,
            line.value,
            line.cells,
            line.changes,
            [line.cells[place] for place in line.unsure],
        )
        for line in lines
    ]
