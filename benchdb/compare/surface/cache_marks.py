"""The sizes of CPU caches and memory, from the environments of the runs: lines on a surface's axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchdb.runs.models import Run

AXES = ("file_size", "record_size")


@dataclass(frozen=True, slots=True)
class SizeMark:
    """A line on an axis at the size of a cache or memory; `of` are the indices of the runs whose machine has it."""

    label: str
    bytes: int
    axis: str
    of: list[int]


def marks(runs: Sequence[Run]) -> list[SizeMark]:
    """The marks of these runs, once an axis."""
    runs_with: dict[tuple[str, int], list[int]] = {}
    for index, run in enumerate(runs):
        for label, size in _ends(run):
            runs_with.setdefault((label, size), []).append(index)
    return [SizeMark(label, size, axis, of) for axis in AXES for (label, size), of in runs_with.items()]


def _ends(run: Run) -> list[tuple[str, int]]:
    """L1, L2, L3 and memory, without caches of instructions; a control group may limit the memory."""
    facts = run.environment.facts
    ends = {
        f"L{cache['level']}": cache["size"]
        for cache in facts["cpu"].get("caches", [])
        if cache.get("size") and cache.get("type") != "instruction"
    }
    memory = facts["memory"].get("usable") or facts["memory"].get("total")
    return [*ends.items(), *([("memory", memory)] if memory else [])]
