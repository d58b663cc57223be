"""Reads outputs in a unified diff: the new side, and the old side beside it.

The lines of a side keep their numbers in the diff: lines of the other side are empty. Lines outside of hunks belong to
the new side; headers belong to both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_HUNK = re.compile(r"@@ -[0-9]{1,9}(?:,([0-9]{1,9}))? \+[0-9]{1,9}(?:,([0-9]{1,9}))? @@")
_HEADERS = ("diff ", "--- ", "+++ ")


@dataclass(frozen=True)
class DiffSides:
    """The lines of both sides; ``old`` is None if the diff removes no output. ``marked``: the indexes of hunk lines."""

    new: list[str]
    old: list[str] | None
    marked: frozenset[int]


def sides_of(lines: Sequence[str], is_recognised: Callable[[str], bool]) -> DiffSides | None:
    """The sides of a diff whose hunks hold an output; None for other texts."""
    if not any(line.startswith("@@ -") for line in lines):
        return None
    new, old = list(lines), [line if line.startswith(_HEADERS) else "" for line in lines]
    marked: list[int] = []
    removed = False
    left_old = left_new = 0
    for index, line in enumerate(lines):
        if not (left_old or left_new):
            if hunk := _HUNK.match(line):
                left_old, left_new = int(hunk[1] or 1), int(hunk[2] or 1)
                new[index] = ""
            continue
        sign, text = line[:1] or " ", line[1:]
        if sign not in "+- ":  # `\ No newline at end of file`
            new[index] = ""
            continue
        marked.append(index)
        new[index] = "" if sign == "-" else text
        old[index] = "" if sign == "+" else text
        left_old -= sign != "+"
        left_new -= sign != "-"
        left_old, left_new, removed = max(left_old, 0), max(left_new, 0), removed or sign == "-"
    if not is_recognised("\n".join(new[index] for index in marked)):
        return None
    has_old = removed and is_recognised("\n".join(old[index] for index in marked))
    return DiffSides(new, old if has_old else None, frozenset(marked))
