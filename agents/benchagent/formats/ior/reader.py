"""Reads IOR's text output, versions 2.x to 4.x, and its JSON: each repetition, and the summary of all tests.

A repetition's row is one value of ``write``, ``read`` or ``remove``: throughput, rate and mean latency where they are
printed, the time of it all, and that of opening, transfer and closing with the param ``phase``. The summary's
numbers carry ``view``; if no rows are printed, its mean is the test's plain value. ``threads`` is the number of
tasks, ``record_size`` one transfer, ``file_size`` one file: of each task, or of all if they share it.
"""

from __future__ import annotations

import re

from benchagent.formats.model import FormatError, Parsed
from benchagent.formats.reading.blocks import keep_blocks
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.places import name_places
from benchagent.formats.reading.runs import common
from benchagent.formats.reading.text import lines_with, split_lines

from .json_lines import IorJson
from .session import IorSession, is_row_header, is_summary_header

TOOL = "ior"

# All patterns match whole lines without the blanks at their ends.
_BANNER = re.compile(r"IOR-(\S{1,40}): MPI Coordinated Test of Parallel I/O")
_COMMAND = re.compile(r"Command line(?: used)? {0,20}: (.{1,5000})")
_PROMPT = re.compile(r"\S{0,300}[$#%>] {1,3}(\S.{0,3000})")
_TEST = re.compile(r"TestID {0,20}: ([0-9]{1,9})|Test ([0-9]{1,9}) started: .{1,60}")
_OPTION = re.compile(r"([A-Za-z][A-Za-z ]{1,30}?) {0,20}[:=] {0,5}(.{0,1000})")
_MAX = re.compile(r"Max (Write|Read): {1,5}([0-9.]{1,20}) MiB/sec \([0-9.]{1,20} MB/sec\)")
_FINISHED = re.compile(r"(?:Run )?[Ff]inished {0,20}: .{1,60}")
_FAULT = re.compile(r"(?:\S{0,100} )?(?:ERROR|WARNING)\b.{0,1000}|\*\* ?error \*\*.{0,1000}")
_KNOWN = re.compile(
    r"(?:Options|Results|Summary|Summary of all tests):|-{3,12}(?: {1,20}-{3,12}){2,12}|, errno [0-9]{1,5}, .{1,100}"
    r"|Commencing [a-z]{1,20} performance test(?:\.|:? .{1,60})|Verifying contents of .{1,100}"
    r"|.{0,5}Using (?:[a-z]|Time Stamp ).{1,200}|task [0-9]{1,9} (?:on|writing|reading) .{1,300}"
    r"|(?:Run b|B)egan {0,20}: .{1,60}|[A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9][0-9] [0-9:]{8} [0-9]{4}"
    r"|(?:Machine|Participating tasks|Start time skew across all tasks) ?.{0,200}"
    r"|(?:[0-9]{1,9}: )?stonewalling pairs accessed.{1,300}"
    r"|\[RANK [0-9]{1,9}\].{1,1000}|\*\*\* .{1,200}|V-[0-9]: .{1,1000}"
)


def recognises(text: str) -> bool:
    if '"Command line"' in text and '"Began"' in text and '"tests"' in text:
        return True
    lines = (line.strip() for line in lines_with(text, "IOR-", "bw(MiB/s)", "(MiB)"))
    return any(_BANNER.fullmatch(line) or is_row_header(line) or is_summary_header(line) for line in lines)


def parse(text: str, parser_version: str) -> Parsed:
    """Read every run of a text; tests with the same settings are values of the same results.

    Raises FormatError if there is no result.
    """
    collector = Collector()
    reader = _IorReader(collector)
    collector.read(enumerate(split_lines(text), start=1), reader.take)
    runs = [run for session in reader.sessions for run in session.runs(collector)]
    if not runs:
        raise FormatError(
            "no result is there: IOR's table of results is missing, or in JSON its list “Results”",
            reader.sessions[-1].line,
        )
    name_places(runs)
    return Parsed(
        tool=TOOL,
        tool_version=reader.version,
        command=common(reader.commands),
        parameters=keep_blocks(collector, runs),
        results=collector.results(),
        warnings=collector.warnings(),
        unread=collector.unread_lines(),
        parser_version=parser_version,
        complete=all(session.ended for session in reader.sessions),
    )


def _prompted_command(line: str) -> str:
    """The command line after a prompt if it starts IOR; else an empty text."""
    match = _PROMPT.fullmatch(line) if "ior" in line or "IOR" in line else None
    words = match[1].split() if match else []
    return match[1] if match and any(word.rpartition("/")[2] in ("ior", "IOR") for word in words) else ""


class _IorReader:
    """Reads line by line; a banner begins a session, which runs one test or several."""

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self.sessions = [IorSession(1)]
        self.version: str | None = None
        self.commands: set[str] = set()
        self._json = IorJson(self._begin)

    def take(self, line: str, number: int) -> bool:
        """Read one line; False if IOR does not print such lines."""
        session = self.sessions[-1]
        if self._json.take(line, number):
            if session.command:
                self.commands.add(session.command)
        elif match := _BANNER.fullmatch(line):
            self._begin(match[1], number)
        elif match := _COMMAND.fullmatch(line):
            self.commands.add(match[1])
            session.command = match[1]
        elif command := _prompted_command(line):
            if session.has_numbers:
                self.sessions.append(IorSession(number))
            self.sessions[-1].command = command
        elif match := _TEST.fullmatch(line):
            session.begin_test(int(match[1] or match[2]))
        elif is_row_header(line) or is_summary_header(line):
            session.header(line)
        elif _FINISHED.fullmatch(line):
            session.ended = True
        elif match := _MAX.fullmatch(line):
            session.maximum(match[1].lower(), match[2], number)
        elif _FAULT.fullmatch(line):
            session.fault(line[:200])
            self._collector.warn(line[:200], number)
        else:
            return session.row(line, number) or bool(_KNOWN.fullmatch(line)) or self._option(line)
        return True

    def _begin(self, version: str, number: int) -> IorSession:
        if self.sessions[-1].began:
            self.sessions.append(IorSession(number))
        self.version = version
        self.sessions[-1].began = True
        return self.sessions[-1]

    def _option(self, line: str) -> bool:
        match = _OPTION.fullmatch(line)
        return match is not None and self.sessions[-1].option(match[1], match[2].strip())
