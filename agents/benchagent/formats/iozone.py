"""iozone's text output, versions 3.2xx to 3.5xx: tables, throughput mode, Excel reports, interrupted runs."""

from __future__ import annotations

import re

from benchagent.formats import iozone_banner, iozone_table
from benchagent.formats.collect import Collector
from benchagent.formats.iozone_banner import Run
from benchagent.formats.iozone_report import Report
from benchagent.formats.iozone_throughput import Throughput
from benchagent.formats.model import FormatError, Parsed
from benchagent.formats.text import split_lines
from benchagent.formats.vocabulary import IOZONE_TESTS

TOOL = "iozone"

_SIGNS = re.compile(
    r"Iozone: Performance Test|Command line used: \S*iozone|kB\s+reclen\s+write\s+rewrite"
    r"|Children sees? throughput for",
    re.IGNORECASE,
)


def recognises(text: str) -> bool:
    return _SIGNS.search(text) is not None


def parse(text: str, parser_version: str) -> Parsed:
    """Read a text that holds one iozone run. Raises FormatError where going on would mean guessing."""
    if not recognises(text):
        raise FormatError("this is no output of iozone: neither its banner nor its table is there")
    reader = _Reader()
    for number, line in enumerate(split_lines(text), start=1):
        reader.take(line, number)
    reader.close()
    run = reader.run
    return Parsed(
        tool=TOOL,
        tool_version=run.version,
        command=run.command,
        results=run.collector.results(),
        warnings=run.collector.warnings(),
        unread=run.collector.unread_lines(),
        parser_version=parser_version,
        clock_resolution=run.clock_resolution,
        complete=run.complete,
    )


class _Reader:
    """Hands every line to the part that knows it; what nobody knows becomes a warning."""

    def __init__(self) -> None:
        self.run = Run(Collector())
        self._throughput = Throughput(self.run)
        self._report = Report(self.run)
        self._layout: iozone_table.Layout | None = None
        self._last_row: iozone_table.Row | None = None

    def take(self, line: str, number: int) -> None:
        if not line.strip():
            return
        if self._layout and self._take_row(line, number):
            return
        if layout := iozone_table.read_header(line):
            self._layout = layout
        elif self._throughput.take(line, number) or self._report.take(line, number):
            pass
        elif not (iozone_banner.take(self.run, line, number) or iozone_banner.take_error(self.run, line, number)):
            self.run.collector.unread(number, line)

    def close(self) -> None:
        """The text has ended; whatever was under way without an end has failed, in iozone's words."""
        words = self.run.take_words()
        if self.run.complete:
            if words:
                self.run.collector.warn(f"iozone said: {words}")
            return
        self.run.collector.warn("the output is not complete: “iozone test complete.” is missing")
        if self._last_row and self._was_interrupted(self._last_row, words):
            iozone_table.keep_failure(self.run, self._last_row, words or "the output ends in this row")
        elif self._throughput.started and words:
            self._throughput.close(words)
        elif words:
            self.run.collector.warn(f"iozone said: {words}")

    def _take_row(self, line: str, number: int) -> bool:
        assert self._layout is not None
        try:
            row = iozone_table.read_row(self._layout, line, number)
        except FormatError as error:
            self.run.collector.warn(f"not read: {error.message}", number)
            return True
        if row is None:
            return False
        iozone_table.keep(self.run, row)
        self._last_row = row
        return True

    def _was_interrupted(self, row: iozone_table.Row, words: str | None) -> bool:
        """A short row is unfinished if iozone said so, or if the command line tells which tests are missing."""
        return row.printed < len(IOZONE_TESTS) and bool(words or self.run.command)
