"""Reads bonnie++'s text tables, 1.00 to 2.00a: whole, cut, wrapped, without header, or with rows of many runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from benchagent.formats.model import Param
from benchagent.formats.reading.collector import Collector

from .layouts import (
    CHUNK,
    CREATE_TESTS,
    FILES,
    IO_TESTS,
    SIZE,
    BonnieSettings,
    files_params,
    size_in_bytes,
    spec_parts,
)
from .table_row import BonnieTableRow, read_latencies, read_row

_OTHERS = rf"(?::(?:{CHUNK})?(?::[0-9]{{0,9}}){{0,3}})?"  # chunk size, concurrency, seeks, seekers
_SIZES = re.compile(SIZE + _OTHERS)
_SIZES_WITH_UNIT = re.compile(rf"[0-9]{{1,12}}[KMGT]{_OTHERS}")
_NUMBERS_OF_FILES = re.compile(FILES)
_VERSION = re.compile(r"Version +([0-9]\.[0-9]{1,3}(?:\.[0-9])?[a-z]?)\b")
_CONCURRENCY = re.compile(r"\s*Concurrency +([0-9]{1,6})\b")
_UNIT = re.compile(r"(?:K|\s|^)/sec %CP\b")
_UNITS_OF_HEADER = frozenset({"K/sec", "/sec", "%CP"})
_WORDS_OF_HEADER = frozenset({"Sequential", "Output", "Input", "Create", "Random", "Per", "Chr", "Block", "Rewrite"})
_WORDS_OF_HEADER |= {"Seeks", "Read", "Delete"}


@dataclass
class TableRun:
    """One run from its table. ``cells``: test or test_cpu → (number, line); ``times``: test → (latency, line)."""

    line: int
    version: str | None = None
    name: str = ""
    concurrency: int = 1
    file_size: int | None = None
    chunk_size: int | None = None
    seek_params: tuple[tuple[str, Param], ...] = ()
    file_params: tuple[tuple[str, Param], ...] = ()
    suffixed: bool = False
    cells: dict[str, tuple[str, int]] = field(default_factory=dict)
    times: dict[str, tuple[str, int]] = field(default_factory=dict)
    cut: bool = False
    section: int = 0

    @property
    def settings(self) -> BonnieSettings:
        return BonnieSettings(
            self.version,
            self.name,
            self.concurrency,
            self.file_size,
            self.chunk_size,
            self.seek_params,
            self.file_params,
        )

    @property
    def has_files(self) -> bool:
        return any(test in self.cells for test in CREATE_TESTS)

    @property
    def prints_numbers_of_files(self) -> bool:
        """Whether this version's table has the number of files in place of the rate (a `printf` bug)."""
        return (self.version or "") >= "1.98" or self.suffixed


@dataclass
class _Block:
    """The rows below one head of data. The first ``cut`` of them lack their part of files."""

    runs: list[TableRun] = field(default_factory=list)
    cut: int = 0

    def cut_up_to(self, count: int) -> None:
        """Mark the first ``count`` rows, each of them once, however many heads without rows follow."""
        for run in self.runs[self.cut : count]:
            run.cut = True
        self.cut = max(self.cut, count)


class Tables:
    """Reads tables line by line; ``runs`` are the runs so far."""

    def __init__(self, collector: Collector) -> None:
        self.runs: list[TableRun] = []
        self._collector = collector
        self._in_files: bool | None = None
        self._base: int | None = None
        self._version: str | None = None
        self._concurrency = 1
        self._name = ""
        self._suffixed: bool | None = None
        self._in_mib = False
        self._block = _Block()
        self._rows_of_files = 0
        self._awaited: tuple[_Block, int] | None = None  # whose first rows a head of files announces
        self._above: tuple[TableRun, tuple[str, ...], list[bool]] | None = None

    def close(self) -> None:
        """End the table, at a CSV line or the end of the text; further rows belong to another run."""
        self._end_of_part()
        self._block, self._rows_of_files, self._above = _Block(), 0, None

    def take(self, lines: list[str], at: int, section: int) -> int:
        """The number of lines that the table reads from ``lines[at]`` (from 0) on; 0 if that line is in no table."""
        line = lines[at]
        if ("-" in line or "%CP" in line) and self._header(line):
            return 1
        if line.lstrip().startswith("Latency"):
            return self._latencies(lines, at)
        return self._row(lines, at, section)

    def _header(self, line: str) -> bool:
        if "%CPU" in line:
            return False
        if "-Sequential " in line or "Sequential Input-" in line:
            self._banner(line)
        elif match := _UNIT.search(line):
            self._base = match.end() - len(" %CP") - 6
            if "Name:Size" in line or "K/sec" in line:
                self._suffixed, self._in_mib = "K/sec" not in line, " MB " in line
        elif "-Create-- --Read---" in line:
            self._name = line[: line.index("-Create--")].strip()
        elif match := _CONCURRENCY.match(line):
            self._concurrency = int(match[1])
        elif "-Per Chr-" in line:
            return True
        else:
            words = line.split()  # possibly the rest of a header that a mail program wrapped
            return 0 < len(words) <= 12 and all(map(_is_of_header, words))
        return True

    def _banner(self, line: str) -> None:
        self._in_files = "Sequential Create" in line
        if match := _VERSION.search(line[:200]):
            self._version = match[1]
        self._end_of_part()
        if self._in_files:
            self._awaited = self._block, len(self._block.runs)
            if self._rows_of_files and any(run.has_files for run in self._block.runs):
                self._block = _Block()
            self._rows_of_files = 0
        else:
            self._block, self._concurrency, self._suffixed = _Block(), 1, None
        self._name = ""

    def _end_of_part(self) -> None:
        """Mark the runs as cut if the header of their files' part has no row below it."""
        if self._awaited and self._rows_of_files == 0:
            block, rows = self._awaited
            block.cut_up_to(rows)
        self._awaited = None

    def _row(self, lines: list[str], at: int, section: int) -> int:
        after = lines[at + 1 : at + 4]
        row_and_length = None
        if not self._in_files:
            sizes = _SIZES if self._in_mib and self._in_files is False else _SIZES_WITH_UNIT
            row_and_length = read_row(lines[at], sizes, self._base, after)
        if row_and_length:
            self._io_row(row_and_length[0], at + 1, section)
            return row_and_length[1]
        row_and_length = read_row(lines[at], _NUMBERS_OF_FILES, self._base if self._in_files else None, after)
        if row_and_length:
            self._files_row(row_and_length[0], at + 1, section)
            return row_and_length[1]
        row_and_length = read_row(lines[at], _SIZES_WITH_UNIT, None, after) if self._in_files else None
        if row_and_length:
            self._io_row(row_and_length[0], at + 1, section)
            return row_and_length[1]
        return 0

    def _io_row(self, row: BonnieTableRow, line: int, section: int) -> None:
        size, *others = row.spec.split(":")
        chunk, concurrency, seeks, seekers = (*others, "", "", "", "")[:4]
        suffixed = any(cell[-1] in "kmg" for cell in row.cells[::2] if cell)
        run = TableRun(
            line,
            self._version,
            row.name,
            int(concurrency) if concurrency else self._concurrency,
            size_in_bytes(size, "m"),
            size_in_bytes(chunk, "") if chunk else None,
            tuple((name, int(text)) for name, text in (("seekers", seekers), ("seeks", seeks)) if text),
            suffixed=suffixed if self._suffixed is None else self._suffixed,
            section=section,
        )
        if any((run.name, run.file_size) == (above.name, above.file_size) for above in self._block.runs[-1:]):
            self._collector.warn("this row and the one above, of one name and size, are taken for repetitions", line)
        self.runs.append(run)
        self._block.runs.append(run)
        self._cells(run, IO_TESTS, row, line)

    def _files_row(self, row: BonnieTableRow, line: int, section: int) -> None:
        index, self._rows_of_files = self._rows_of_files, self._rows_of_files + 1
        if index < len(self._block.runs) and not self._block.runs[index].has_files:
            run = self._block.runs[index]
        else:
            run = TableRun(line, self._version, concurrency=self._concurrency, section=section)
            self.runs.append(run)
        name = self._name or row.name
        if len(name) > len(run.name) and name.startswith(run.name):  # the row above has the shortened name
            run.name = name
        run.file_params = files_params(*spec_parts(row.spec))
        self._cells(run, CREATE_TESTS, row, line)

    def _cells(self, run: TableRun, tests: Sequence[str], row: BonnieTableRow, line: int) -> None:
        ran = []
        for index, test in enumerate(tests):
            value, cpu = row.cells[2 * index : 2 * index + 2] if 2 * index + 1 < len(row.cells) else (None, None)
            ran.append(value is not None)
            for text, name, cell in ((value, test, 2 * index), (cpu, f"{test}_cpu", 2 * index + 1)):
                if text is not None:
                    run.cells[name] = text, line + row.line_of(cell)
        if len(row.cells) < 2 * len(tests) or sum(ran) != sum(1 for cpu in row.cells[1::2] if cpu):
            run.cut = True
            self._collector.warn("the row ends early: what it may have cut is left out", line)
        self._above = run, tuple(tests), ran

    def _latencies(self, lines: list[str], at: int) -> int:
        if self._above is None:
            return 0
        run, tests, present = self._above
        latencies = read_latencies(lines[at], self._base, present, lines[at + 1 : at + 2])
        if not latencies:
            return 0
        first = len(lines[at].split()) - 1  # latencies; those of a wrapped row are in the next line
        printed = [(test, text) for test, text in zip(tests, latencies[0]) if text]
        run.times.update((test, (text, at + 1 + (index >= first))) for index, (test, text) in enumerate(printed))
        self._above = None
        return latencies[1]


def _is_of_header(word: str) -> bool:
    return word in _UNITS_OF_HEADER or ("-" in word and word.strip("-") in _WORDS_OF_HEADER)
