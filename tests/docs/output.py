"""Whether a command printed what a page shows: `…` stands for anything, with `figures` measured figures may differ."""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator

_checker = doctest.OutputChecker()
_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
# What differs from one measurement to the next, in the order in which it is replaced.
VARIES = (
    (re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"), "ID"),
    (re.compile(r"(?<=/c/)[a-z0-9]{16}\b"), "ID"),
    (re.compile(r"\bbdb_\w+"), "TOKEN"),
    (re.compile(r"\d+(?:[.,:\u202f]\d+)*"), "0"),
    (re.compile(r"\b0 ?(?:[KMGT]i?B|B)(?:/s)?\b"), "0 B"),
    (re.compile(r"\b0 (?:h|m|s|ms|µs|min)\b(?: 0 (?:m|s)\b)?"), "0 s"),
)


def session(text: str) -> Iterator[tuple[str, str]]:
    """(command, what it prints) of each `$ command` of a block; a command goes on after a backslash."""
    command: list[str] = []
    printed: list[str] = []
    goes_on = False
    for line in text.splitlines():
        if line.startswith("$ ") and not goes_on:
            if command:
                yield "\n".join(command), "\n".join(printed)
            command, printed = [line[2:]], []
        elif goes_on:
            command.append(line)
        else:
            printed.append(line)
        goes_on = command[-1:] != [] and not printed and command[-1].endswith("\\")
    yield "\n".join(command), "\n".join(printed)


def difference(wanted: str, got: str, *, figures: bool) -> str | None:
    """Why `got` is not what is `wanted`; None where it is."""
    left, right = (plain(text) if figures else text for text in (wanted, got))
    left = left.replace("…", "...") + "\n"
    if _checker.check_output(left, right + "\n", _FLAGS):
        return None
    return f"the page shows\n{wanted}\nand here it prints\n{got}"


def plain(text: str) -> str:
    """With every figure as 0."""
    for pattern, word in VARIES:
        text = pattern.sub(word, text)
    return text
