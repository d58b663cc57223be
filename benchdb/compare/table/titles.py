"""What a table says of itself: its title, what all its cells have in common, and how many values they rest on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchdb.compare.query.dimensions import dimension, label_of, with_noun
from benchdb.compare.query.selection import Selection
from benchdb.runs.models import Run

from .complete import Choices
from .factor import Factor

LEFT_OUT = "Left out: "  # begins a note about runs that are in no cell
MOST_NAMED = 6  # values of the factor in a title


def title(selection: Selection, factor: Factor, runs: Sequence[Run]) -> str:
    """`ext4, xfs, btrfs on epyc-2`; where they are many, `test by file system on epyc-2`."""
    machines = list(dict.fromkeys(run.machine.name for run in runs))
    where = machines[0] if len(machines) == 1 else f"{len(machines)} machines"
    labels = list(factor.labels.values())
    if len(labels) > MOST_NAMED:
        return f"{label_of(selection.rows)} by {label_of(selection.columns)} on {where}".capitalize()
    return f"{', '.join(labels)} on {where}"


def subtitle(choices: Choices, runs: Sequence[Run]) -> str:
    """`iozone 3.489 · throughput · 1 GiB file · 1 MiB records`: what all cells have in common."""
    selection = choices.selection
    versions = list(dict.fromkeys(f"{run.tool} {run.tool_version or ''}".strip() for run in runs))
    said = [", ".join(versions)]
    for name in ("metric", "test", "file_size", "record_size", "threads"):
        menu = next((menu for menu in choices.menus if menu.name == name), None)
        of = dimension(name)
        # No size goes without saying, and so does one thread.
        if menu is None or name in selection.axes or menu.chosen in (of.word, "1" if name == "threads" else None):
            continue
        said.append(with_noun(name, dict(menu.options)[menu.chosen]))
    return " · ".join(said)


def n_line(cells: Sequence[Sequence[Any]]) -> str:
    """`n = 10 rounds`, `n = 9 to 10 rounds`, `n = 3 runs`, `n = 3 runs or 10 rounds`; `n unknown` where nobody says."""
    counted: dict[str, set[int]] = {"run": set(), "round": set()}
    for cell in (cell for row in cells for cell in row if cell and cell["n"]):
        counted["run" if len(cell["runs"]) > 1 else "round"].add(cell["n"])
    said = [_counted(counts, noun) for noun, counts in counted.items() if counts]
    if any(cell and cell["n"] is None and cell["mean"] is not None for row in cells for cell in row):
        said.append("unknown")
    return "n unknown" if said == ["unknown"] else f"n = {' or '.join(said)}" if said else ""


def _counted(counts: set[int], noun: str) -> str:
    low, high = min(counts), max(counts)
    return f"{low if low == high else f'{low} to {high}'} {noun}{'' if high == 1 else 's'}"
