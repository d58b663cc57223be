"""The title of a table, the common properties of its cells, and the number of values behind them."""

from __future__ import annotations

from collections.abc import Sequence

from benchdb.compare.query.dimensions import dimension, label_of, with_noun
from benchdb.compare.query.runs import machine_names
from benchdb.compare.query.selection import Selection
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.verdict import CellWarning
from benchdb.runs.models import Run
from benchdb.wording.words import upper, without_build

from .complete import Choices

ALONE = CellWarning(
    "alone",
    {},
    "Only one of the selected runs is in this table: the others have no result for this selection. "
    "They may have another test or size in common.",
)
MOST_NAMED = 6  # values of the factor in a title
LONGEST_NAMES = 100  # characters of all of them


def title(selection: Selection, values: Sequence[str], runs: Sequence[Run]) -> str:
    """`ext4, xfs, btrfs on epyc-2`; with many `values` of the factor, `test by file system on epyc-2`."""
    names = machine_names(runs)
    machine = next(iter(names.values())) if len(names) == 1 else f"{len(names)} machines"
    named = ", ".join(values)
    if len(values) > MOST_NAMED or len(named) > LONGEST_NAMES:
        return upper(f"{label_of(selection.rows)} by {label_of(selection.columns)} on {machine}")
    return f"{named} on {machine}"


def subtitle(choices: Choices, runs: Sequence[Run]) -> str:
    """`iozone 3.489 · throughput · 1 GiB file · 1 MiB records`: the common properties of all cells."""
    selection = choices.selection
    parts = [", ".join(dict.fromkeys(f"{run.tool} {without_build(run.tool_version)}".rstrip() for run in runs))]
    for name in ("metric", "test", "file_size", "record_size", "threads"):
        menu = next((menu for menu in choices.menus if menu.name == name), None)
        of = dimension(name)
        # The absence of a size is not worth mentioning, nor is a single thread.
        if menu is None or name in selection.axes or menu.chosen in (of.word, "1" if name == "threads" else None):
            continue
        parts.append(with_noun(name, dict(menu.options)[menu.chosen]))
    return " · ".join(parts)


def n_line(cells: Sequence[Sequence[Cell | None]]) -> str:
    """`n = 10 rounds`, `n = 9 to 10 rounds`, `n = 3 runs`, `n = 3 runs or 10 rounds`; `n unknown` if no cell has n."""
    counted: dict[str, set[int]] = {"run": set(), "round": set()}
    for cell in (cell for row in cells for cell in row if cell is not None):
        if cell.n:
            counted["run" if len(cell.runs) > 1 else "round"].add(cell.n)
    parts = [_counted(counts, noun) for noun, counts in counted.items() if counts]
    if any(cell is not None and cell.n is None and cell.mean is not None for row in cells for cell in row):
        parts.append("unknown")
    return "n unknown" if parts == ["unknown"] else f"n = {' or '.join(parts)}" if parts else ""


def _counted(counts: set[int], noun: str) -> str:
    low, high = min(counts), max(counts)
    return f"{low if low == high else f'{low} to {high}'} {noun}{'' if high == 1 else 's'}"
