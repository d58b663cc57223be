"""The rows of a table with a difference, the only ones that a reader may want to see. Pure functions.

The parameter is not part of selections, as it changes no figure: the other rows are on the page, and the style sheet
hides them. A link to one of their cells shows the row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from benchdb.compare.table.content import TableContent, TableRow

SHOW = "show"  # the parameter of the address
DIFFERENCES = "differences"  # its value

Rows = Mapping[int, set[int]]  # the indices of rows by that of their group


@dataclass(frozen=True, slots=True)
class RowFilter:
    """The line over a table: what it says of its rows, and the link that shows fewer or all."""

    text: str
    link: str
    href: str


def differing_rows(content: TableContent) -> Rows:
    """The rows with a cell that is better, worse or failed, and the baseline of the rows in these groups."""
    found = {}
    for g, group in enumerate(content.groups):
        differing = {r for r, row in enumerate(group.rows) if _differs(row)}
        baselines = {r for r, row in enumerate(group.rows) if row.baseline} if differing else set()
        found[g] = differing | baselines
    return found


def row_filter(content: TableContent, address: str, pairs: Sequence[tuple[str, str]], only: str) -> RowFilter | None:
    """The line over the table; None if the filter would change nothing. `pairs` are those of the address besides it."""
    compared = [row for group in content.groups for row in group.rows if any(c and c.verdict for c in row.cells)]
    differing = sum(_differs(row) for row in compared)
    if not 0 < differing < len(compared):
        return None
    text = f"{differing} of {len(compared)} compared rows {'has' if differing == 1 else 'have'} a difference."
    if only == DIFFERENCES:
        return RowFilter(f"{text} The others are hidden.", "Show all rows", _address(address, pairs))
    return RowFilter(text, "Show only these", _address(address, [*pairs, (SHOW, DIFFERENCES)]))


def _differs(row: TableRow) -> bool:
    cells = [cell for cell in row.cells if cell is not None]
    return any(cell.status == "failed" or (cell.verdict and cell.verdict.kind in ("better", "worse")) for cell in cells)


def _address(address: str, pairs: Sequence[tuple[str, str]]) -> str:
    return f"{address}?{urlencode(pairs)}" if pairs else address
