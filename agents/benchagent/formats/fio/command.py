"""The options of jobs in a command line of fio, `fio --name=a --rw=read …`, for outputs that print no options."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping

from .options import FLAGS

CommandJobs = Mapping[str, Mapping[str, str]]

_COMMAND = re.compile(r"(?:^|[\s/])fio(?= )")
_NAMED = re.compile(r"\s--?name[= ]")
_LONGEST = 8000
_END = re.compile(r"[|;&<>]|[12]>")
# Options of the program, not of a job; all others of them have a hyphen in their names.
_OF_PROGRAM = {"minimal", "output", "eta", "debug", "readonly", "section", "client", "server", "daemonize", "version"}


def jobs_of_command(line: str) -> CommandJobs:
    """The options of each job by its name, those before the first `--name` included; empty for any other line."""
    match = _COMMAND.search(line) if "name" in line and len(line) <= _LONGEST else None
    if match is None or not _NAMED.search(line, match.end()):
        return {}
    jobs: dict[str, dict[str, str]] = {}
    shared: dict[str, str] = {}
    current = shared
    words = iter(_words(line[match.end() :]))
    for word in words:
        if _END.match(word):
            break
        option, sign, value = word.lstrip("-").partition("=")
        if not word.startswith("-"):
            continue  # the name of a job file
        if not sign and option not in FLAGS and option not in _OF_PROGRAM:
            value = next(words, "")
        if option == "name":
            current = shared if value == "global" else jobs.setdefault(value, dict(shared))
        if option not in _OF_PROGRAM and "-" not in option:
            current[option] = value
    return jobs


def commands_in(printed: Iterable[tuple[int, str]]) -> tuple[dict[int, CommandJobs], list[tuple[int, str]]]:
    """The jobs of each command line that names some, by the number of its last line, and all lines of these commands.

    A command goes on behind a backslash, or with a line of options below it.
    """
    jobs: dict[int, CommandJobs] = {}
    lines: list[tuple[int, str]] = []
    held: list[tuple[int, str]] = []  # the lines of the command that is being read
    for number, line in [*printed, (0, "")]:
        words = line.removeprefix("> ")
        if held and (held[-1][1].endswith("\\") or words.startswith("--")):
            held.append((number, words))
            continue
        if held and (found := jobs_of_command(" ".join(words.rstrip("\\") for _, words in held))):
            jobs[held[-1][0]] = found
            lines += held
        held = [(number, line)] if "fio" in line and _COMMAND.search(line) else []
    return jobs, lines


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:  # a quote that is not closed
        return text.split()
