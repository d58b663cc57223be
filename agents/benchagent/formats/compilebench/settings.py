"""compilebench's command line as facts of its work."""

from __future__ import annotations

import re

from benchagent.formats.model import Param
from benchagent.formats.reading.command_options import command_options

_COMMAND = re.compile(
    r"(?:.{0,200}[$#%>] {0,3})?(?:(?:sudo|time|python[0-9.]{0,5}) {1,3}){0,3}"
    r"((?:\S{0,200}/)?compilebench(?: +\S{1,500}){1,50})"
)
_LONG = {
    "buffer-size": "b", "initial-dirs": "i", "runs": "r", "directory": "D", "makej": "m", "no-sync": "n",
}  # fmt: skip
_COUNTS = {"i": "trees", "r": "operations", "b": "buffer_size"}
_FLAGS = {"m": "makej", "n": "no_sync"}


def command_in(line: str) -> str | None:
    """The command that starts compilebench in a line; None if there is none."""
    match = _COMMAND.fullmatch(line) if "compilebench " in line else None
    return match[1] if match and " -" in match[1] else None


def command_facts(command: str) -> dict[str, Param]:
    """The facts that a command line states; the size of the buffer is in bytes."""
    words: list[str] = []
    for word in command.split()[1:]:
        name, _, value = word[2:].partition("=")
        words += [f"-{_LONG[name]}", *([value] if value else [])] if word[:2] == "--" and name in _LONG else [word]
    options = command_options(words, takes="birDstd")
    facts: dict[str, Param] = {name: True for flag, name in _FLAGS.items() if flag in options}
    for option, name in _COUNTS.items():
        printed = options.get(option, [""])[-1]
        if re.fullmatch("[0-9]{1,9}", printed):
            facts[name] = int(printed)
    if options.get("D"):
        facts["directory"] = options["D"][-1]
    return facts
