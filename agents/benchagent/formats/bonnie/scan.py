"""One pass over a text of bonnie++: finds its CSV lines, tables and failed tests, and the headings between them."""

from __future__ import annotations

from typing import NamedTuple

from benchagent.formats.bonnie_original.progress import BonnieProgress, is_caution, is_error
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.printed_times import read_times
from benchagent.formats.reading.sections import Sections, is_known

from .csv_line import ECHOED, CsvLine, read_csv_line
from .table import Tables


class FailedTest(NamedTuple):
    """A test that was not finished: the line of its progress, and bonnie++'s words."""

    test: str
    line: int
    words: str
    section: int


class TextScan:
    """The parts of a text. ``csv_lines`` are (CSV line, section); lines of no known kind are unread."""

    def __init__(self, lines: list[str]) -> None:
        self.collector = Collector()
        self.sections = Sections()
        self.tables = Tables(self.collector)
        self.csv_lines: list[tuple[CsvLine, int]] = []
        self.failures: list[FailedTest] = []
        self.first_table = 0  # its line; 0 if the text has no table
        self._lines = _without_echoes(lines)
        self._progress = BonnieProgress()
        self._finished = False  # whether numbers came last

    def read(self) -> None:
        """Read all lines."""
        at = 0
        while at < len(self._lines):
            at += self._take(at)
        self.tables.close()
        self._close_failure()

    def _take(self, at: int) -> int:
        """Read a line and those that belong to it; return their number."""
        line = self._lines[at]
        if "," in line and (csv := read_csv_line(self._lines, at)):
            self._take_csv_line(csv[0])
            return csv[1]
        if not line.strip():
            return 1
        if lines_of_table := self.tables.take(self._lines, at, self.sections.current):
            self.first_table = self.first_table or at + 1
            self._end_progress()
            return lines_of_table
        self._take_other(line, at + 1)
        return 1

    def _take_csv_line(self, csv: CsvLine) -> None:
        self.csv_lines.append((csv, self.sections.current))
        self.tables.close()
        self._end_progress()
        if csv.headless:
            self.collector.warn("the line lacks its versions: its fields were counted from its end", csv.line)
        if csv.missing:
            cut = f"; {csv.cut!r}, which it ends with, may be cut and is left out" if csv.cut else ""
            self.collector.warn(f"the line ends early: {csv.missing} of its fields are missing{cut}", csv.line)

    def _take_other(self, line: str, number: int) -> None:
        if self._progress.begins_anew(line):
            self._close_failure()
        if self._progress.take(line, number) or is_known(line) or (self._finished and _is_of_time(line)):
            return
        if is_caution(line) or is_error(line):
            self.collector.warn(line.strip()[:200], number)
            return
        self._finished = False
        if not self.sections.take(line) and not line.lstrip().startswith("#"):
            self.collector.unread(number, line)

    def _end_progress(self) -> None:
        """Numbers came, so the test in progress is finished, and its words were only cautions."""
        self._finished = True
        for words in self._progress.words:
            self.collector.warn(words[:200], self._progress.line)
        self._progress = BonnieProgress()

    def _close_failure(self) -> None:
        if failure := self._progress.take_failure():
            self.failures.append(FailedTest(*failure, self.sections.current))


def _is_of_time(line: str) -> bool:
    """Whether a line belongs to the output of `time bonnie++ …`, which the format of `time` reads."""
    return len(line) < 200 and read_times(line) is not None


def _without_echoes(lines: list[str]) -> list[str]:
    """Replace `echo "CSV line" | bon_csv2html` by its CSV line, or by nothing if that line is also printed alone."""
    echoes = [ECHOED.search(line[:2000]) if "bon_csv2" in line else None for line in lines]
    if not any(echoes):
        return lines
    printed = {line.strip().rstrip(",") for line in lines if "," in line}
    texts = [match[1].strip() if match else None for match in echoes]
    return [line if text is None else "" if text.rstrip(",") in printed else text for line, text in zip(lines, texts)]
