"""The tests of elbencho's phases, and its command line as facts."""

from __future__ import annotations

import re

from benchagent.formats.model import Param
from benchagent.formats.reading.places import joined

# The same work has the names of fsload's tests.
_TESTS = {
    "MKDIRS": "directory_create",
    "RMDIRS": "directory_remove",
    "RMFILES": "file_remove",
    "STAT": "stat",
    "SYNC": "sync",
    "DROPCACHE": "drop_caches",
}
_OPERATION = re.compile(r"[A-Z][A-Z0-9-]{1,20}")
# Reading and writing at once: a share of the operations reads (--rwmixpct), or a number of threads (--rwmixthr).
_MIX = re.compile(r"RWMIX(?P<read_percentage>[0-9]{1,3})|MIX-T(?P<read_threads>[0-9]{1,6})")
_DATA = {"read", "write", "random_read", "random_write", "mix", "mix_read", "mix_write"}
_COMMAND = re.compile(r"(?:.{0,200}[\s/;&|(\"])?(elbencho\"?(?: +\S{1,500}){1,200})")
_OPTION = {
    "-t": "threads", "--threads": "threads", "-b": "record", "--block": "record", "-s": "file", "--size": "file",
    "-n": "directories", "--dirs": "directories", "-N": "files", "--files": "files", "--iodepth": "depth",
}  # fmt: skip
_FLAGS = {"--direct": "direct", "--rand": "random", "--dirsharing": "shared_directories"}
# Options with the path of a file that is not measured.
_OTHER_PATHS = {"--csvfile", "--jsonfile", "--resfile", "--livecsv", "--livejson", "--hostsfile", "--treefile", "-c"}
_SIZE = re.compile(r"([0-9]{1,15})([kmgtKMGT]?)(?:iB?|B)?")
_POWERS = {"": 1, "k": 1024, "m": 1024**2, "g": 1024**3, "t": 1024**4}


def is_operation(word: str) -> bool:
    return bool(_OPERATION.fullmatch(word))


def mix_of(operation: str) -> dict[str, Param]:
    """What part of a phase that reads and writes at once reads; nothing for other phases."""
    match = _MIX.fullmatch(operation)
    return {name: int(number) for name, number in match.groupdict().items() if number} if match else {}


def moves_data(test: str) -> bool:
    """Whether a test reads or writes, so that it has sizes, and rates of whole files beside those of operations."""
    return test in _DATA


def test_of(operation: str, *, random: bool) -> str:
    """`write` or `random_write`, `read` or `random_read`, `mix`; other phases have tests of their own."""
    if operation in _TESTS:
        return _TESTS[operation]
    if mix_of(operation):
        return "mix"
    name = operation.lower().replace("-", "_")
    return f"random_{name}" if random and name in ("read", "write") else name


def command_in(line: str) -> str | None:
    """The command that starts elbencho in a line; None if there is none."""
    match = _COMMAND.fullmatch(line.strip()) if "elbencho" in line else None
    command = match[1].replace('"', "") if match else ""  # elbencho prints each word in quotes
    return command if " -" in command else None


class ElbenchoSettings:
    """What a command line sets: threads, sizes in bytes, and facts of the work. Counts of 1 are elbencho's default."""

    def __init__(self, command: str = "") -> None:
        self.threads: int | None = 1 if command else None
        self.file_size: int | None = None
        self.record_size: int | None = None
        self.random = False
        self.facts: dict[str, Param] = {}
        words = [word.strip("'\"") for word in command.split()]
        self.place = joined(
            word
            for before, word in zip(words, words[1:])
            if "/" in word and word[0] != "-" and before not in _OTHER_PATHS
        )
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
        elif number > 1 or name == "files":
            self.facts[name] = number
