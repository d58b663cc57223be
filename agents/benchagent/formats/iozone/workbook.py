"""Reads iozone's spreadsheet (-b FILE): an Excel 2 workbook (BIFF2) with the reports of -R as numbers in cells.

A BIFF2 file is a sequence of records: opcode and length, 2 bytes each, little endian, then as many bytes. iozone writes
BOF (0x09), LABEL (0x04: row, column, 3 bytes of format, length, text), NUMBER (0x03: row, column, 3 bytes of format, a
double) and EOF (0x0A). The first cell has iozone's command line with the unit and the number of processes, limited to
255 characters. A line of a result is a row of the sheet, from 1.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Union

from benchagent.formats.model import FormatError, Parsed

from .reader import IozoneReader
from .report import THROUGHPUT_LABELS
from .units import STATED

TOOL = "iozone"
STATED_UNITS = tuple(STATED)

BOF, INTEGER, NUMBER, LABEL, EOF = 0x09, 0x02, 0x03, 0x04, 0x0A
_HEAD, _PLACE, _DOUBLE = struct.Struct("<HH"), struct.Struct("<HH"), struct.Struct("<d")
_ATTRIBUTES = 3  # bytes after a cell's position
# The minimum length of each kind of record, in bytes.
_SHORTEST = {LABEL: 8, NUMBER: 15, INTEGER: 9}
_SHEET = b"\x09\x00\x04\x00"  # BOF of BIFF2, which has 4 bytes
_REPORTS = (b"Writer", b"Throughput report", b"CPU utilization report")
_COLUMN_OF_FIRST = 2  # the column of the first number of processes

SheetValue = Union[str, float]
SheetRow = dict[int, SheetValue]


def recognises(data: bytes) -> bool:
    """Whether the file is a BIFF2 sheet with iozone's command line or reports."""
    return data.startswith(_SHEET) and (b"iozone" in data[:300] or any(name in data for name in _REPORTS))


def parse(data: bytes, parser_version: str, unit: str | None = None) -> Parsed:
    """Read a spreadsheet of iozone; ``unit`` is that of one without its own.

    Raises FormatError for other or damaged files; ``line`` is the sheet's row.
    """
    if not recognises(data):
        raise FormatError("this is no spreadsheet of iozone: it does not begin as its -b writes one")
    rows, ended = _rows(data)
    reader = IozoneReader(unit=unit)
    sheet = _Sheet(reader)
    for number in sorted(rows):
        sheet.take(rows[number], number + 1)
    reader.run.complete = ended
    if not ended:
        reader.run.notes.warn("the spreadsheet is not complete: its end is missing")
    return reader.parsed(parser_version)


def _rows(data: bytes) -> tuple[dict[int, SheetRow], bool]:
    """row → column → cell, and whether the file is complete."""
    rows: dict[int, SheetRow] = {}
    for opcode, body in _records(data):
        if opcode == EOF:
            return rows, True
        if opcode in _SHORTEST and len(body) >= _SHORTEST[opcode]:
            row, column = _PLACE.unpack_from(body)
            rows.setdefault(row, {})[column] = _value(opcode, body[_PLACE.size + _ATTRIBUTES :])
    return rows, False


def _records(data: bytes) -> Iterator[tuple[int, bytes]]:
    position = 0
    while position + _HEAD.size <= len(data):
        opcode, length = _HEAD.unpack_from(data, position)
        position += _HEAD.size
        if position + length > len(data):
            return
        yield opcode, data[position : position + length]
        position += length


def _value(opcode: int, content: bytes) -> SheetValue:
    if opcode == NUMBER:
        return float(_DOUBLE.unpack_from(content)[0])
    if opcode == INTEGER:
        return float(int.from_bytes(content[:2], "little"))
    return content[1 : 1 + content[0]].decode("latin-1").strip(" \0")


class _Sheet:
    """Passes the sheet's rows to the reader of reports."""

    def __init__(self, reader: IozoneReader) -> None:
        self._run, self._report = reader.run, reader.report
        self._sizes = False

    def take(self, row: SheetRow, number: int) -> None:
        first = row.get(0, "")
        numbers = {column: value for column, value in row.items() if isinstance(value, float)}
        if isinstance(first, str) and first:
            self._label(first, numbers, number)
        elif numbers and self._report.begun:
            self._numbers(numbers, number)
        elif numbers:
            self._run.notes.unread(number, _text(row))

    def _label(self, text: str, numbers: dict[int, float], number: int) -> None:
        test = THROUGHPUT_LABELS.get(text.lower())
        if test and numbers and self._report.begun:
            width = max(numbers) - _COLUMN_OF_FIRST + 1
            cells = [_printed(numbers.get(_COLUMN_OF_FIRST + offset, 0.0)) for offset in range(width)]
            self._report.throughput_row(test, cells, number, text)
        elif self._report.title(text):
            self._sizes = False
        elif number == 1 and "iozone" in text:
            self._run.take_command(text, quoted=True)
        else:
            self._run.notes.unread(number, text)

    def _numbers(self, numbers: dict[int, float], number: int) -> None:
        if not self._sizes:
            sizes = [numbers.get(column) for column in range(1, max(numbers) + 1)]
            self._report.set_sizes(
                [int(size) * 1024 if size is not None and _is_size(size) else None for size in sizes]
            )
            self._sizes = True
            return
        file_size = numbers.get(0)
        if file_size is None or not _is_size(file_size):
            self._run.notes.unread(number, _text(dict(numbers)))
            return
        cells = [str(int(file_size)), *(_printed(numbers.get(column, 0.0)) for column in range(1, max(numbers) + 1))]
        if not self._report.row(cells, number, " ".join(cells)):
            self._run.notes.unread(number, " ".join(cells))


def _is_size(value: float) -> bool:
    return 0 < value < 1e12


def _printed(value: float) -> str:
    """The digits that parse to exactly this number, without an exponent; 0 if the number is not a measurement."""
    return f"{value:.17f}".rstrip("0").rstrip(".") if 0 < value < 1e15 else "0"


def _text(row: SheetRow) -> str:
    return " ".join(str(row[column]) for column in sorted(row))
