"""What a page shows at a reader's wish: only rows with a difference, the rounds of each cell, charts. Pure functions.

The parameter is not part of selections, as it changes no figure: the other rows are on the page, and the style sheet
hides them. A link to one of their cells shows the row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from benchdb.compare.table.content import TableContent, TableRow
from benchdb.runs.cells.measured_table import MeasuredTable

SHOW = "show"  # the parameter of the address
DIFFERENCES, ROUNDS, RATIOS, FIGURES = SHOWN = ("differences", "rounds", "ratios", "figures")  # its values

Rows = Mapping[int, set[int]]  # the indices of rows by that of their group


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
    """The address that shows something more, or no longer."""
    after = [name for name in SHOWN if (name in show) != (name == turned)]
    query = urlencode([*pairs, *((SHOW, name) for name in after)])
    return f"{address}?{query}" if query else address


def _differs(row: TableRow) -> bool:
    cells = [cell for cell in row.cells if cell is not None]
    return any(cell.status == "failed" or (cell.verdict and cell.verdict.kind in ("better", "worse")) for cell in cells)
