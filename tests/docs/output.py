"""Compares output with the text on a page: `…` matches anything, and with `figures` measured figures may differ."""

import doctest
import re
from collections.abc import Iterator

_checker = doctest.OutputChecker()
_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
# Parts that vary between measurements, in the order of their replacement.
VARIES = (
    (re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"), "ID"),
    (re.compile(r"(?<=/c/)[a-z0-9]{16}\b"), "ID"),
    (re.compile(r"\bbdb_\w+"), "TOKEN"),
    (re.compile(r"\d+(?:[.,:\u202f]\d+)*"), "0"),
    (re.compile(r"\b0 ?(?:[KMGT]i?B|B)(?:/s)?\b"), "0 B"),
    (re.compile(r"\b0 (?:h|m|s|ms|µs|min)\b(?: 0 (?:m|s)\b)?"), "0 s"),
)


def session(text: str) -> Iterator[tuple[str, str]]:
    """Yield the command and the output of each `$ command` of a block; a backslash continues a command."""
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
    """How `got` differs from `wanted`, or None if it does not."""
    left, right = (plain(text) if figures else text for text in (wanted, got))
    left = left.replace("…", "...") + "\n"
    if _checker.check_output(left, right + "\n", _FLAGS):
        return None
    return f"the page shows\n{wanted}\nand here it prints\n{got}"


def plain(text: str) -> str:
    """Replace every figure by 0."""
    for pattern, word in VARIES:
        text = pattern.sub(word, text)
    return text
