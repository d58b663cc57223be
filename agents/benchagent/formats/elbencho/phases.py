"""The tests of elbencho's phases, and its command line as facts."""

from __future__ import annotations

import re

from benchagent.formats.model import Param

# The same work has the names of fsload's tests.
_TESTS = {
    "MKDIRS": "directory_create",
    "RMDIRS": "directory_remove",
    "RMFILES": "file_remove",
    "STAT": "stat",
    "SYNC": "sync",
    "DROPCACHE": "drop_caches",
}
_OPERATION = re.compile(r"[A-Z][A-Z0-9]{1,20}")
_COMMAND = re.compile(r"(?:.{0,200}[\s/;&|(])?(elbencho(?: +\S{1,500}){1,200})")
_OPTION = {
    "-t": "threads", "--threads": "threads", "-b": "record", "--block": "record", "-s": "file", "--size": "file",
    "-n": "directories", "--dirs": "directories", "-N": "files", "--files": "files", "--iodepth": "depth",
}  # fmt: skip
_FLAGS = {"--direct": "direct", "--rand": "random", "--dirsharing": "shared_directories"}
_SIZE = re.compile(r"([0-9]{1,15})([kmgtKMGT]?)(?:iB?|B)?")
_POWERS = {"": 1, "k": 1024, "m": 1024**2, "g": 1024**3, "t": 1024**4}


def is_operation(word: str) -> bool:
    return bool(_OPERATION.fullmatch(word))


def test_of(operation: str, *, random: bool) -> str:
    """`write` or `random_write`, `read` or `random_read`; other phases have tests of their own."""
    if operation in _TESTS:
        return _TESTS[operation]
    name = operation.lower()
    return f"random_{name}" if random and name in ("read", "write") else name


def command_in(line: str) -> str | None:
    """The command that starts elbencho in a line; None if there is none."""
    match = _COMMAND.fullmatch(line.strip()) if "elbencho " in line else None
    return match[1] if match and " -" in match[1] else None


class ElbenchoSettings:
    """What a command line sets: threads, sizes in bytes, and facts of the work."""

    def __init__(self, command: str = "") -> None:
        self.threads: int | None = None
        self.file_size: int | None = None
        self.record_size: int | None = None
        self.random = False
        self.facts: dict[str, Param] = {}
        words = [word.strip("'\"") for word in command.split()]
        for word, following in zip(words, [*words[1:], ""]):
            name, _, attached = word.partition("=")
            if name in _OPTION:
                self._set(_OPTION[name], attached or following)
            elif name in _FLAGS:
                self.facts[_FLAGS[name]] = True
        self.random = bool(self.facts.pop("random", False))

    def _set(self, name: str, text: str) -> None:
        match = _SIZE.fullmatch(text)
        number = int(match[1]) * _POWERS[match[2].lower()] if match else 0
        if not number or number >= 2**53:
            return
        if name == "threads":
            self.threads = number
        elif name == "record":
            self.record_size = number
        elif name == "file":
            self.file_size = number
        else:
            self.facts[name] = number
