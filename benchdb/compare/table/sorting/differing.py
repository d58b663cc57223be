"""What a page shows at a reader's wish: only rows with a difference, or with certain verdicts, the rounds of each cell,
charts. Pure functions.

The parameter is not part of selections, as it changes no figure. Rows without a difference are on the page, and the
style sheet hides them: a link to one of their cells shows the row.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlencode

from benchdb.compare.table.content import TableContent, TableRow
from benchdb.compare.table.grid import Grid
from benchdb.runs.cells.cell_context import ShownCell
from benchdb.runs.cells.measured_table import MeasuredTable
from benchdb.wording.changes import common_metric, direction_of
from benchdb.wording.numbers import plural

SHOW = "show"  # the parameter of the address
DIFFERENCES, ROUNDS, RATIOS, FIGURES = SHOWN = ("differences", "rounds", "ratios", "figures")  # its values

KINDS = ("better", "worse", "inconclusive", "failed")  # of cells, in the order of their filters
FILTER = re.compile(rf"({'|'.join(KINDS)}):.{{0,300}}")  # a kind, and the label of a value or ""

Rows = Mapping[int, set[int]]  # the indices of rows by that of their group


def shown_of(wanted: Sequence[str]) -> list[str]:
    """What a page can show of these values of the parameter: the names in `SHOWN`, and one filter of cells."""
    return [*(name for name in SHOWN if name in wanted), *filter(FILTER.fullmatch, wanted[-1:])]


def cell_filters(
    table: Grid, address: str, pairs: Sequence[tuple[str, str]], show: Sequence[str]
) -> list[dict[str, object]]:
    """Links that show only cells of one kind: where a value is better or worse than the baseline, undecided, failed."""
    counts = Counter(filter(None, _filters_of(table)))
    chosen = next(filter(FILTER.fullmatch, show), "")
    # `chosen` tells which is in force; its link shows the whole table again.
    return [
        {
            "text": _in_words(table, name),
            "cells": plural(number, "cell"),
            "href": with_turned(address, pairs, show, name),
            "chosen": name == chosen,
        }
        for name, number in sorted(counts.items(), key=lambda each: KINDS.index(each[0].partition(":")[0]))
    ]


def _filters_of(table: Grid) -> list[str]:
    """The filter that each cell passes, "" if none."""
    found = []
    for cell, of in enumerate(table.cells):
        kind = "failed" if of.status == "failed" else of.verdict.kind if of.verdict else ""
        name = f"{kind}:{table.value_of(cell) if kind in ('better', 'worse') else ''}"
        found.append(name if FILTER.fullmatch(name) else "")
    return found


def _in_words(table: Grid, name: str) -> str:
    """`xfs faster than ext4`, `undecided`."""
    kind, _, label = name.partition(":")
    if not label:
        return {"inconclusive": "undecided"}.get(kind, kind)
    if direction_of(common_metric(measure.metric for measure in table.measures)).down == "slower":
        kind = {"better": "faster", "worse": "slower"}[kind]
    return f"{label} {kind} than {table.content.baseline}"


def only_filtered(table: Grid, shown: MeasuredTable, show: Sequence[str]) -> MeasuredTable:
    """The rows and columns with a cell that passes the filter, and their baselines; all without a filter.

    `shown` has the columns in the order of the content.
    """
    name = next(filter(FILTER.fullmatch, show), "")
    anchors = {f"c{key}" for key, passed in zip(table.keys, _filters_of(table), strict=True) if passed == name}
    if not name or not anchors:
        return shown
    groups = [
        replace(group, rows=[row for row in group.rows if row.baseline or _passes(row.cells, anchors)])
        for group in shown.groups
        if any(_passes(row.cells, anchors) for row in group.rows)
    ]
    lines = [row.cells for group in groups for row in group.rows]
    kept = [
        index
        for index, head in enumerate(table.content.heads)
        if head.baseline or _passes([line[index] for line in lines], anchors)
    ]
    return replace(
        shown,
        columns=[shown.columns[index] for index in kept],
        groups=[
            replace(group, rows=[replace(row, cells=[row.cells[index] for index in kept]) for row in group.rows])
            for group in groups
        ],
    )


def _passes(cells: Sequence[ShownCell], anchors: Collection[str]) -> bool:
    return any(cell.anchor in anchors for cell in cells)


def differing_rows(content: TableContent) -> Rows:
    """The rows with a cell that is better, worse or failed, and the baseline of the rows in these groups."""
    found = {}
    for g, group in enumerate(content.groups):
        differing = {r for r, row in enumerate(group.rows) if _differs(row)}
        baselines = {r for r, row in enumerate(group.rows) if row.baseline} if differing else set()
        found[g] = differing | baselines
    return found


def row_filter(
    table: MeasuredTable, address: str, pairs: Sequence[tuple[str, str]], show: Sequence[str]
) -> dict[str, object] | None:
    """The line over the table; None if the filter would change nothing. `pairs` are those of the address besides it."""
    rows = [row.cells for group in table.groups for row in group.rows]
    compared = [cells for cells in rows if any(cell.verdict for cell in cells)]
    differing = sum(
        any(cell.status == "failed" or (cell.verdict and cell.verdict.step) for cell in cells) for cells in compared
    )
    if not 0 < differing < len(compared):
        return None
    text = f"{differing} of {len(compared)} compared rows {'has' if differing == 1 else 'have'} a difference."
    turned = with_turned(address, pairs, show, DIFFERENCES)
    if DIFFERENCES in show:
        return {"text": f"{text} The others are hidden.", "link": "Show all rows", "href": turned}
    return {"text": text, "link": "Show only these", "href": turned}


def with_turned(address: str, pairs: Sequence[tuple[str, str]], show: Sequence[str], turned: str) -> str:
    """The address that shows something more, or no longer; a filter takes the place of another one."""
    after = [name for name in SHOWN if (name in show) != (name == turned)]
    after += [turned] if turned not in (*SHOWN, *show) else [name for name in show if name not in (*SHOWN, turned)]
    query = urlencode([*pairs, *((SHOW, name) for name in after)])
    return f"{address}?{query}" if query else address


def _differs(row: TableRow) -> bool:
    cells = [cell for cell in row.cells if cell is not None]
    return any(cell.status == "failed" or (cell.verdict and cell.verdict.kind in ("better", "worse")) for cell in cells)
