"""Second readers of iozone's output, cruder than the parsers and written independently: they use column positions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchagent.formats.model import Parsed, Result
from tests.support.in_step import in_step

# iozone 3.4xx prints "%16d%8d" and then the tests with these widths.
COLUMN_ENDS = (33, 42, 51, 60, 69, 78, 87, 97, 107, 116, 125, 134, 143)
TESTS = ["write", "rewrite", "read", "reread", "random_read", "random_write", "backward_read", "record_rewrite"]
TESTS += ["strided_read", "fwrite", "frewrite", "fread", "freread"]


def numbered(text: str) -> Iterator[tuple[int, str]]:
    return enumerate(text.replace("\r", "").split("\n"), start=1)


def table_rows(text: str) -> Iterator[tuple[int, str]]:
    """The rows of iozone's table, with their line numbers."""
    below_header = False
    for number, line in numbered(text):
        if "reclen" in line:
            below_header = True
        elif below_header and re.match(r" +\d+ +\d", line):
            yield number, line
        elif below_header:
            return


def words_of_row(line: str) -> list[tuple[str, int, int, int]]:
    """(test, file size, record size, number) of a row whose columns do not touch; a number's end gives its test."""
    spans = [(match.end(), int(match[0])) for match in re.finditer(r"\d+", line)]
    (_, kilobytes), (_, reclen), *cells = spans
    return [(TESTS[COLUMN_ENDS.index(end)], kilobytes * 1024, reclen * 1024, number) for end, number in cells]


def report_cells(text: str) -> dict[tuple[str, int, int], str]:
    """(title, file size, record size) → the number as iozone's Excel report prints it."""
    cells: dict[tuple[str, int, int], str] = {}
    title, sizes = "", []
    for _, line in numbered(text):
        if match := re.match(r'"([A-Z][^"]* report)', line):
            title, sizes = match[1], []
        elif title and re.match(r'\s+"\d', line):
            sizes = [int(word.strip('"')) for word in line.split()]
        elif title and re.match(r'"\d', line):
            name, *numbers = line.split()
            for size, number in zip(sizes, numbers):
                cells[title, int(name.strip('"')) * 1024, size * 1024] = number
    return cells


def cell(parsed: Parsed, test: str, metric: str, file_size: int, record_size: int) -> Result:
    """The one result of a cell."""
    [match] = [
        result
        for result in parsed.results
        if (result.test, result.metric, result.file_size, result.record_size) == (test, metric, file_size, record_size)
    ]
    return match


def values_by_line(parsed: Parsed, metric: str) -> dict[int, list[float | None]]:
    """line → its values, in the order of the results."""
    by_line: dict[int, list[float | None]] = {}
    for result in parsed.results:
        if result.metric == metric:
            for line, value in in_step(result.lines, result.values):
                by_line.setdefault(line, []).append(value)
    return by_line
