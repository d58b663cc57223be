"""The sizes of CPU caches and memory, from the environments of the runs: lines on a surface's axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchdb.runs.models import Run

AXES = ("file_size", "record_size")


def marks(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """`[{label, bytes, axis, of}]`, once an axis; `of` are the indices of the runs whose machine has this size."""
    runs_with: dict[tuple[str, int], list[int]] = {}
    for index, run in enumerate(runs):
        for label, size in _ends(run.environment.facts):
            runs_with.setdefault((label, size), []).append(index)
    return [
        {"label": label, "bytes": size, "axis": axis, "of": of}
        for axis in AXES
        for (label, size), of in runs_with.items()
    ]


def _ends(facts: dict[str, Any]) -> list[tuple[str, int]]:
    """L1, L2, L3 and memory, without caches of instructions; a control group may limit the memory."""
    ends = {
        f"L{cache['level']}": cache["size"]
        for cache in facts["cpu"].get("caches", [])
        if cache.get("size") and cache.get("type") != "instruction"
    }
    memory = facts["memory"].get("usable") or facts["memory"].get("total")
    return [*ends.items(), *([("memory", memory)] if memory else [])]
