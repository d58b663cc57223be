"""Finds bonnie++'s CSV lines in a text: of every version, wrapped by a mail program, cut, or without their head.

A line of 1.03 has no mark; it is recognised by its shape: a name, a size, twelve cells, files, twelve cells.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from benchagent.formats.model import FormatError

from .layouts import (
    CHUNK,
    FILES,
    FORMAT_1_96,
    FORMAT_1_98,
    OLD,
    SIZE,
    BonnieSettings,
    CsvLayout,
    FieldFault,
    layout_of,
    settings_of,
)

_VERSION = r"[12]\.[0-9]{2}(?:\.[0-9])?[a-z]?"
_VERSIONED = re.compile(rf"(2|{_VERSION}),{_VERSION},")
_CELL = r"(?:[0-9]{1,15}(?:\.[0-9]{1,9})?|\+{1,12})?"
_WHOLE_OLD = re.compile(
    rf"[^,]{{0,200}},(?:{SIZE}(?::{CHUNK})?)?,(?:{_CELL},){{12}}(?:{FILES})?(?:,{_CELL}){{12}}", re.IGNORECASE
)
# A colon in place of the first comma: `name:4000M,…`.
_COLON_OLD = re.compile(
    rf"[^,:]{{1,200}}(:){SIZE}(?::{CHUNK})?,(?:{_CELL},){{12}}(?:{FILES})?(?:,{_CELL}){{12}}", re.IGNORECASE
)
_BEGUN_OLD = re.compile(rf"[^,]{{0,200}},[0-9]{{1,12}}[KMGT](?::{CHUNK})?,(?:{_CELL},){{5}}", re.IGNORECASE)
_SIZE_AT = re.compile(r"[0-9]{1,12}[KMGT]", re.IGNORECASE)
_TIME = r"(?:[0-9]{1,15}(?:us|ms|s))?"
_TIMES = re.compile(rf"{_TIME}(?:,{_TIME}){{11}}")
# The characters of a continued line: no letters but those of units, links and +++++.
_CONTINUATION = re.compile(r"[0-9+.,:/umsklinyGMTKb]{1,400}")
_UNIT_OF_TIME = re.compile(r"(?:u|m)?s")
_AFTER_NAME = re.compile(rf"[0-9]{{1,6}},[0-9]{{9,20}},(?:{SIZE})?")
ECHOED = re.compile(r"\becho[ \t]{1,9}[\"']?([^\"'|]{20,1000})[\"']?[^|]{0,20}\|[^|]{0,80}bon_csv2")
_LONGEST_HEAD = 100
_MOST_PIECES = 8
FEWEST_COMMAS = 7


class CsvLine(NamedTuple):
    """One CSV line. ``fields`` are as many as the layout has; ``missing`` of them were not in the text.

    They are joined, because a text may have a million lines: by commas if no field has one, else by NUL.
    """

    line: int
    fields: str
    layout: CsvLayout
    settings: BonnieSettings
    pieces: tuple[str, ...]
    missing: int = 0
    cut: str = ""
    headless: bool = False

    @property
    def raw(self) -> list[str]:
        return self.fields.split("\0" if "\0" in self.fields else ",")

    def text(self, name: str) -> str:
        index = self.layout.indexes.get(name)
        return "" if index is None else self.raw[index]

    def line_of(self, name: str) -> int:
        """The line in which a field begins; a wrapped CSV line spans several."""
        return self.line if len(self.pieces) == 1 else self.fault(name, "").line

    def fault(self, name: str, message: str) -> FormatError:
        """An error with the line and column of a field."""
        return _fault(self.line, self.pieces, self.raw, self.layout, name, message)


def read_csv_line(lines: list[str], at: int) -> tuple[CsvLine, int] | None:
    """The CSV line that begins in ``lines[at]`` (from 0) and the number of lines it spans; None if none begins there.

    Raises FormatError if a line has more fields than its format, or a size or number is malformed.
    """
    line = lines[at]
    if line.count(",") < FEWEST_COMMAS:
        return None
    match = _VERSIONED.search(line, 0, _LONGEST_HEAD)
    if match and "," not in line[: match.start()]:
        line = " " * match.start() + line[match.start() :]  # the prefix of a logger
        return _take(line, lines, at, layout_of(match[1].rstrip("abcdefghijklmnopqrstuvwxyz")))
    line = line.strip()
    if colon := _COLON_OLD.fullmatch(line):
        line = f"{line[: colon.start(1)]},{line[colon.end(1) :]}"
    if _WHOLE_OLD.fullmatch(line):
        return _record((lines[at].rstrip(),), at, line.split(","), OLD), 1
    return _headless(line, at) or _begun_old(lines, at, line)


def _take(line: str, lines: list[str], at: int, layout: CsvLayout) -> tuple[CsvLine, int]:
    pieces = _pieces(line, lines, at, len(layout.names))
    raw = _name_of_several(_joined(pieces), layout)
    if len(raw) > len(layout.names):
        column = len(pieces[0]) - len(raw[-1]) if len(pieces) == 1 else 1
        raise FormatError(f"{len(raw)} fields where format {raw[0]} has {len(layout.names)}", at + 1, column)
    return _record(pieces, at, raw, layout), len(pieces)


def _name_of_several(raw: list[str], layout: CsvLayout) -> list[str]:
    """Join the fields of a name with commas. The concurrency, seed and size after it mark its end."""
    surplus = len(raw) - len(layout.names)
    after = raw[3 + surplus : 6 + surplus]
    if 0 < surplus <= 8 and "seed" in layout.indexes and _AFTER_NAME.fullmatch(",".join(after)):
        return [*raw[:2], ",".join(raw[2 : 3 + surplus]), *raw[3 + surplus :]]
    return raw


def _begun_old(lines: list[str], at: int, line: str) -> tuple[CsvLine, int] | None:
    if not _BEGUN_OLD.match(line):
        return None
    pieces = _pieces(lines[at], lines, at, len(OLD.names))
    raw = _joined(pieces)
    cells = [text for index, text in enumerate(raw[2:], 2) if index != OLD.indexes["file_spec"]]
    good = sum(1 for text in cells if re.fullmatch(_CELL, text))
    if not OLD.indexes["file_spec"] <= len(raw) <= len(OLD.names) or len(cells) - good > 2 or not any(cells):
        return None
    return _record(pieces, at, raw, OLD), len(pieces)


def _headless(line: str, at: int) -> tuple[CsvLine, int] | None:
    """A line without its versions. The fields are counted from the end, which has twelve latencies."""
    raw = line.split(",")
    if not 43 <= len(raw) <= 52 or not _TIMES.fullmatch(",".join(raw[-12:])):
        return None
    for layout in (FORMAT_1_98, FORMAT_1_96):
        size = layout.indexes["file_size"]
        tail = len(layout.names) - size
        if len(raw) > tail and _SIZE_AT.fullmatch(raw[-tail]):
            head = ["", "", raw[0], "", ""]
            return _record((line,), at, [*head, *raw[-tail:]], layout)._replace(headless=True), 1
    return None


def _pieces(line: str, lines: list[str], at: int, fields: int) -> tuple[str, ...]:
    """The lines of a wrapped CSV line, without the line ends of a mail program or a programming language."""
    pieces = [_bare(line)]
    commas = pieces[0].count(",")
    unbroken = None  # the pieces before the first empty line, which a page may have inserted
    for line in lines[at + 1 : at + _MOST_PIECES]:
        if commas + 1 < fields and not line.strip():
            unbroken = unbroken or tuple(pieces)
            pieces.append("")
            continue
        whole = commas + 1 >= fields
        if whole and not _lacks_unit(pieces[-1], fields):
            break
        more = _bare(line)
        begins = more.lstrip()
        if not _CONTINUATION.fullmatch(begins) or _VERSIONED.match(begins):
            break
        if commas + 1 + more.count(",") > fields or (whole and not _UNIT_OF_TIME.fullmatch(begins)):
            break
        pieces.append(more)
        commas += more.count(",")
    return unbroken if unbroken and commas + 1 != fields else tuple(pieces)


def _bare(line: str) -> str:
    """A piece without the backslash, or the \\n of a string, at its end."""
    text = line.rstrip()
    return text[:-2] if text.endswith("\\n") else text[:-1] if text.endswith("\\") else text


def _joined(pieces: tuple[str, ...]) -> list[str]:
    return "".join([piece.lstrip() for piece in pieces]).split(",")


def _lacks_unit(piece: str, fields: int) -> bool:
    """Whether the last latency was broken before its unit; a line without latencies lacks none."""
    return fields > len(OLD.names) and piece[-1:].isdigit()


def _record(pieces: tuple[str, ...], at: int, raw: list[str], layout: CsvLayout) -> CsvLine:
    names = layout.names
    if len(raw) == len(names) - 1 and _lacks_a_comma(raw, layout):
        raw = [*raw[:5], "", *raw[5:]]
    missing = len(names) - len(raw)
    cut = ""
    if missing:  # the last field may lack its end
        cut = raw[-1] if len(raw) > layout.indexes[names[2]] else ""
        raw = [*raw[:-1], "" if cut else raw[-1], *[""] * missing]
    texts = tuple(raw)
    if any(" " in piece or "\t" in piece for piece in pieces):
        texts = tuple([text.strip() for text in raw])
    try:
        settings = settings_of(layout, layout.settings(texts))
    except FieldFault as fault:
        raise _fault(at + 1, pieces, texts, layout, fault.name, fault.message) from None
    fields = ",".join(texts)
    if fields.count(",") >= len(texts):
        fields = "\0".join(texts)
    elif fields == pieces[0]:
        fields = pieces[0]  # the same text, not another
    return CsvLine(at + 1, fields, layout, settings, pieces, missing, cut)


def _lacks_a_comma(raw: list[str], layout: CsvLayout) -> bool:
    """Whether bonnie++ before 1.97 wrote one comma too few, as it did without a large file."""
    return layout is FORMAT_1_96 and not any(raw[5:18]) and raw[0] < "1.97"


def _fault(
    line: int, pieces: tuple[str, ...], raw: Sequence[str], layout: CsvLayout, name: str, message: str
) -> FormatError:
    """The error at a field: its piece of the CSV line, and the column in that piece."""
    offset = sum(len(text) + 1 for text in raw[: layout.indexes[name]])
    for number, piece in enumerate(pieces):
        length = len(piece.lstrip())
        if offset < length or number == len(pieces) - 1:
            return FormatError(message, line + number, len(piece) - length + offset + 1)
        offset -= length
    raise AssertionError("a record has a piece")
