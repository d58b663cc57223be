"""Reads Tim Bray's Bonnie, the origin of bonnie++: one row per run, in MB and K/sec, or GB and M/sec (Bonnie-64).

Its tests are not bonnie++'s: it writes, rewrites and reads one file, and seeks with three processes, writing a tenth of
what they read. All numbers are always there, so the cells of a row need no columns. Known from its source: a MB is a
MiB, K/sec is KiB/s, M/sec MiB/s; Bonnie-64's GB are 1000 MiB. Bonnie 1.2 and later, whose file may have several
volumes, prints the size as `2*1024`, and also prints its numbers while it runs.
"""

from __future__ import annotations

import re

from benchagent.formats.model import FAILED, FormatError, Param, Parsed, ResultKey
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.runs import common
from benchagent.formats.reading.sections import Sections, is_known, params_apart
from benchagent.formats.reading.text import lines_with, split_lines
from benchagent.formats.vocabulary import BONNIE_TESTS

from .progress import PROGRESS_TESTS, BonnieProgress, is_caution, is_error

TOOL = "bonnie"

TESTS = BONNIE_TESTS[:6]  # bonnie++ took these names from Bonnie

_UNITS = re.compile(r"\b(?P<size>[MG])B\s+(?P<speed>[KM])/sec %CPU\b")
_BANNER = re.compile(r"-Sequential (?:Output|Input)-|-Per Char-|--Random-|--Seeks--|/sec %CPU")
_REST_OF_HEADER = re.compile(r"\s*(?:-*(?:Random|Seeks)-+|[KM]?/sec %CPU|%CPU)\s*$")
_NUMBER = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,3})?")
_PADDED = re.compile(r"(?<=[0-9])\* +(?=[0-9])")
_VOLUMES = re.compile(r"([0-9]{1,3})\*([0-9]{1,9})")
_MIB = 1024**2
_SIZE = {"M": _MIB, "G": 1000 * _MIB}
_SPEED = {"K": 1024, "M": _MIB}
_LONGEST = 300
_FILE = re.compile(r"\s*(?:Bonnie(?: [0-9.]{1,6})?: )?File '\S{1,300}', size: ([0-9]{1,18})(?:, volumes: [0-9]+)?\s*$")
_MEASURED = re.compile(r"([A-Z][a-z() ]{5,30})\.{3} *done: *([0-9]{1,12}) kB/s +([0-9]{1,6}\.[0-9]{1,2}) %CPU\s*$")


def recognises(text: str) -> bool:
    return any(map(_is_of_bonnie, lines_with(text, "%CPU", "-Per", "Bonnie")))


def _is_of_bonnie(line: str) -> bool:
    if len(line) > _LONGEST:
        return False
    return "-Per Char-" in line or _UNITS.search(line) is not None or _FILE.match(line) is not None


def parse(text: str, parser_version: str) -> Parsed:
    """Read every row; rows of one name, size and section are values of one result.

    Raises FormatError if there is no row at all.
    """
    reader = _BonnieReader(split_lines(text))
    while reader.at < len(reader.lines):
        reader.take()
    reader.close_failure()
    for test, speed, cpu, line in reader.measured:  # there was no table
        reader.collector.value(ResultKey(test, "throughput", reader.size, threads=1), float(speed) * 1024, line)
        reader.collector.value(ResultKey(test, "cpu_of_one_core", reader.size, threads=1), float(cpu + "e-2"), line)
    if not reader.rows and not reader.failures and not reader.measured:
        raise FormatError("Bonnie's table has no row with numbers", reader.header or 1)
    collector = reader.collector
    sections = reader.sections.names([*(row[-1] for row in reader.rows), *(failure[-1] for failure in reader.failures)])
    several = len({name for name, *_ in reader.rows}) > 1
    for name, size, cells, section in reader.rows:
        _keep(collector, cells, size, params_apart(name if several else "", sections.get(section, "")))
    for test, line, words, section in reader.failures:
        metric = "rate" if test == "random_seek" else "throughput"
        collector.no_value(
            ResultKey(test, metric, params=params_apart("", sections.get(section, ""))), line, words, FAILED
        )
    file_size = common(size for _, size, *_ in reader.rows)
    return Parsed(
        tool=TOOL,
        tool_version=None,
        command=None,
        results=collector.results(),
        warnings=collector.warnings(),
        parser_version=parser_version,
        complete=not reader.failures
        and not reader.measured
        and all(len(cells) == 2 * len(TESTS) for _, _, cells, _ in reader.rows),
        parameters={} if file_size is None else {"file_size": file_size},
        unread=collector.unread_lines(),
    )


def _keep(
    collector: Collector, cells: list[tuple[float, int]], size: int, apart: tuple[tuple[str, Param], ...]
) -> None:
    """``cells``: speed in B/s or rate, then CPU as a ratio, of each test, each with its line."""
    for index, (number, line) in enumerate(cells):
        test = TESTS[index // 2]
        metric = ("rate" if test == "random_seek" else "throughput") if index % 2 == 0 else "cpu_of_one_core"
        key = ResultKey(test, metric, size, threads=1, params=apart)
        if number or index % 2:
            collector.value(key, number, line)
        else:
            collector.no_value(key, line, "Bonnie printed 0")
    if len(cells) < 2 * len(TESTS):
        collector.warn(f"the row ends early: {2 * len(TESTS) - len(cells)} of its numbers are missing", cells[0][1])


class _BonnieReader:
    """Reads line by line. ``rows``: (name, file size, cells with their lines, section)."""

    def __init__(self, lines: list[str]) -> None:
        self.lines, self.at, self.header = lines, 0, 0
        self.collector, self.sections, self.progress = Collector(), Sections(), BonnieProgress()
        self.rows: list[tuple[str, int, list[tuple[float, int]], int]] = []
        self.failures: list[tuple[str, int, str, int]] = []
        self._units: tuple[int, int] | None = None
        self.size: int | None = None
        # Numbers printed during the run, which the table repeats: test, K/sec, %CPU, line.
        self.measured: list[tuple[str, str, str, int]] = []

    def take(self) -> None:
        line, number = self.lines[self.at], self.at + 1
        self.at += 1
        if not line.strip():
            return
        if _BANNER.search(line[:_LONGEST]) or (self._units and _REST_OF_HEADER.match(line[:_LONGEST])):
            self.header = self.header or number
            if match := _UNITS.search(line[:_LONGEST]):
                self._units = _SIZE[match["size"]], _SPEED[match["speed"]]
            return
        if self._units and self._row(line, number):
            self.progress = BonnieProgress()
            self.measured.clear()
            return
        match = _MEASURED.match(line.strip()) if "%CPU" in line else None
        if match and match[1] in PROGRESS_TESTS:
            self.measured.append((PROGRESS_TESTS[match[1]], match[2], match[3], number))
            self.progress = BonnieProgress()
            return
        if self.progress.begins_anew(line):
            self.close_failure()
        if match := _FILE.match(line):
            self.size = int(match[1])
            return
        if self.progress.take(line, number) or is_known(line):
            return
        if is_caution(line) or is_error(line):
            self.collector.warn(line.strip()[:200], number)
        elif not self.sections.take(line) and not line.lstrip().startswith("#"):
            self.collector.unread(number, line)

    def close_failure(self) -> None:
        if failure := self.progress.take_failure():
            self.failures.append((*failure, self.sections.current))

    def _row(self, line: str, number: int) -> bool:
        """Read a name of up to eight letters or none, the size, and up to twelve numbers."""
        if len(line) > _LONGEST or self._units is None:
            return False
        words = _PADDED.sub("*", line).split()
        start = len(words)
        while start and _NUMBER.fullmatch(words[start - 1]):
            start -= 1
        if start and (volumes := _VOLUMES.fullmatch(words[start - 1])):
            start -= 1
            words[start] = str(int(volumes[1]) * int(volumes[2]))
        numbers = words[start:]
        rest = self._rest(len(numbers))
        numbers += rest
        if len(numbers) == 14 or (len(numbers) % 2 == 0 and start == 0 and not line[:1].isspace()):
            start, numbers = start + 1, numbers[1:]  # the name is a number, or ends with one
        if not 3 <= len(numbers) <= 13 or "." in numbers[0]:
            return False
        self.at += bool(rest)
        if len(numbers) % 2 == 0:  # the last number may lack its end, and has no CPU
            numbers = numbers[:-1]
        size, speed = self._units
        if speed == _SPEED["K"] and any("." in text for text in numbers[1:11:2]):
            return False  # K/sec are whole: these columns are others
        first = len(numbers) - len(rest) - 1
        cells = [
            (
                float(text + "e-2") if index % 2 else float(text) * (speed if index < 10 else 1),
                number + (index >= first),
            )
            for index, text in enumerate(numbers[1:])
        ]
        self.rows.append((" ".join(words[:start]), int(numbers[0]) * size, cells, self.sections.current))
        return True

    def _rest(self, numbers: int) -> list[str]:
        """The part of a row that a mail program wrapped into the next line."""
        more = self.lines[self.at][:_LONGEST].split() if 9 <= numbers < 13 and self.at < len(self.lines) else []
        whole = numbers + len(more) in (13, 14) and all(_NUMBER.fullmatch(word) for word in more)
        return more if whole else []
