"""Reads the settings of PostMark runs: those typed at its prompt (``set number 500``), and those of ``show``."""

from __future__ import annotations

import re

from benchagent.formats.model import Param

_PROMPT = re.compile(r"(?:pm>\s?)+")
_SET = re.compile(
    r"set (size|number|seed|transactions|location|subdirectories|read|write|buffering|bias read|bias create|report)"
    r" (\S{1,200})(?: +([0-9]{1,12}))?"
)
_NAMES = {
    "number": "files",
    "seed": "seed",
    "transactions": "transactions",
    "subdirectories": "directories",
    "read": "read_block_size",
    "write": "write_block_size",
}
# The exact settings that `show` prints; it rounds file sizes from a kilobyte on.
_SHOWN = (
    (re.compile(r"The base number of files is ([0-9]{1,12})"), ("files",)),
    (re.compile(r"Transactions: ([0-9]{1,12})"), ("transactions",)),
    (re.compile(r"([0-9]{1,12}) subdirectories will be used"), ("directories",)),
    (re.compile(r"Files range between ([0-9]{1,12}) bytes and ([0-9]{1,12}) bytes in size"), ("min_size", "max_size")),
    (re.compile(r"Files range between ([0-9]{1,12}) bytes and [0-9.]{1,15} [a-z]{1,12} in size"), ("min_size",)),
    (re.compile(r"Block sizes are: read=([0-9]{1,12}) bytes, write=([0-9]{1,12}) bytes"),
     ("read_block_size", "write_block_size")),
    (re.compile(r"Biases are: read/append=(-?[0-9]{1,3}), create/delete=(-?[0-9]{1,3})"), ("bias_read", "bias_create")),
    (re.compile(r"Random number generator seed is ([0-9]{1,12})"), ("seed",)),
)  # fmt: skip
_NOTED = re.compile(
    r"Current configuration is:|Files (?:range between|are) [0-9].{1,80}|Working director(?:y|ies):.{0,200}|"
    r"Report format is .{1,20}|\S{1,200} \(weight=[0-9]{1,9}\)"
)
_LOCATION = re.compile(r"Working directory: (\S{1,200})")
_BUFFERED = re.compile(r"(Not u|U)sing Unix buffered file I/O")


def without_prompt(line: str) -> str:
    match = _PROMPT.match(line)
    return line[match.end() :] if match else line


def read(line: str, settings: dict[str, Param]) -> bool:
    """Keep the settings in a line; False if the line is not about settings."""
    if match := _SET.fullmatch(line):
        _typed(match, settings)
        return True
    for pattern, names in _SHOWN:
        if match := pattern.fullmatch(line):
            settings.update({name: int(value) for name, value in zip(names, match.groups())})
            return True
    if match := _LOCATION.fullmatch(line):
        settings["location"] = match[1]
        return True
    if match := _BUFFERED.fullmatch(line):
        settings["buffered"] = match[1] == "U"
        return True
    return bool(_NOTED.fullmatch(line))


def _typed(match: re.Match[str], settings: dict[str, Param]) -> None:
    what, first, second = match.groups()
    if what == "size" and first.isascii() and first.isdigit() and len(first) < 13:
        settings["min_size"], settings["max_size"] = int(first), int(second or first)
    elif what == "location":
        settings["location"] = first
    elif what == "buffering" and first in ("true", "false"):
        settings["buffered"] = first == "true"
    elif what.startswith("bias") and re.fullmatch("-?[0-9]{1,3}", first):
        settings[what.replace(" ", "_")] = int(first)
    elif what in _NAMES and re.fullmatch("[0-9]{1,12}", first):
        settings[_NAMES[what]] = int(first)
