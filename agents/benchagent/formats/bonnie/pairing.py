"""Pairs the tables and CSV lines of the same runs: bonnie++ prints both, and a value must not count twice.

The CSV line wins, because its numbers are not rounded; the table is a check and has the chunk size, which bonnie++ 2.00
leaves out of its CSV.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from benchagent.formats.reading.collector import Collector
from benchagent.formats.vocabulary import BONNIE_TESTS

from .cells import NUMBER, metric_of
from .csv_line import CsvLine
from .layouts import CREATE_TESTS
from .table import TableRun

# The CSV line of a table is among this number around it: tools that ran side by side mix their lines.
_NEAR = 16
_PER_UNIT = {"k": 1, "m": 1024, "g": 1024**2}


def paired(tables: list[TableRun], csv_lines: list[CsvLine], collector: Collector) -> dict[int, int]:
    """Table → CSV line, both by their index in the lists. Adds a warning for each number in which the two disagree."""
    lines = [csv.line for csv in csv_lines]
    taken: set[int] = set()
    csv_of_table: dict[int, int] = {}
    faulty = False
    for table_index, table in enumerate(tables):
        best: int | None = None
        for index in _near(bisect_left(lines, table.line), len(csv_lines)):
            if index in taken:
                continue
            agree, differ, differences = _compared(table, csv_lines[index])
            if agree and not differences:
                best = index
                break
            if best is None and agree > differ and _may_be_one(table, csv_lines[index]):
                best = index
        if best is not None:
            csv_of_table[table_index] = best
            taken.add(best)
            faulty = _warn_of_fault(table, collector, faulty)
            for difference in _compared(table, csv_lines[best])[2]:
                collector.warn(f"{difference}; the CSV line's is kept", table.line)
    return csv_of_table


def _warn_of_fault(table: TableRun, collector: Collector, warned: bool) -> bool:
    """Warn once that a table has no rates; return whether the warning was given."""
    if not warned and any(
        is_number_of_files(table, table.cells[test][0]) for test in CREATE_TESTS if test in table.cells
    ):
        collector.warn(
            "the table has the number of files where the rates of the files belong, a fault of bonnie++ since 1.98; "
            "the CSV line's are kept",
            table.line,
        )
        return True
    return warned


def _near(at: int, number: int) -> Iterator[int]:
    """The CSV lines after a table, nearest first, then those before it."""
    yield from range(at, min(at + _NEAR, number))
    yield from range(at - 1, max(at - _NEAR, 0) - 1, -1)


def _may_be_one(table: TableRun, csv: CsvLine) -> bool:
    """Whether names and sizes allow a pair; the table has only the part of the name that fits."""
    sizes = {table.file_size, csv.settings.file_size} - {None}
    return len(sizes) < 2 and csv.settings.name.startswith(table.name.strip())


def _compared(table: TableRun, csv: CsvLine) -> tuple[int, int, list[str]]:
    """The counts of equal and different numbers, without %CP (equal in many runs); and all differences as sentences."""
    agree, differ, differences = 0, 0, []
    for test in BONNIE_TESTS:
        value, cpu = (table.cells.get(name, ("", 0))[0] for name in (test, f"{test}_cpu"))
        if test in CREATE_TESTS and is_number_of_files(table, value):
            value = ""
        latency = table.times.get(test, ("", 0))[0]
        for printed, name in ((value, test), (cpu, f"{test}_cpu"), (latency, f"{test}_latency")):
            other = csv.text(name)
            if not printed or (not other and (csv.missing or name not in csv.layout.indexes)):
                continue
            same = _same(printed, other, metric_of(test) if name == test else "")
            if not name.endswith("_cpu"):
                agree, differ = agree + same, differ + (not same)
            if not same:
                differences.append(f"of {name} the table says {printed}, the CSV line {csv.line} {other or 'nothing'}")
    return agree, differ, differences


def is_number_of_files(table: TableRun, value: str) -> bool:
    """Whether a rate is in fact the number of files, which bonnie++ 1.98 and later print by a fault of their own."""
    return table.prints_numbers_of_files and value == str(dict(table.file_params).get("files", ""))


def _same(printed: str, other: str, metric: str) -> bool:
    if printed == other or (printed[0] == "+" and other[:1] == "+"):
        return True
    if not metric or printed[0] == "+" or not NUMBER.fullmatch(other):
        return False
    unit = printed[-1] if printed[-1].isalpha() else ""
    digits = printed[: len(printed) - len(unit)]
    if not NUMBER.fullmatch(digits):
        return False
    half = 0.5 if "." not in digits else 0.5 * 10.0 ** -len(digits.partition(".")[2])
    return abs(float(other) / _PER_UNIT.get(unit, 1) - float(digits)) <= half * (1 + 1e-6)
