"""The fields of a bonnie++ CSV line by name, and the sizes among them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from benchagent.formats.model import FormatError, Param
from benchagent.formats.vocabulary import BONNIE_TESTS

_HEAD = ("format_version", "bonnie_version", "name", "concurrency", "seed", "file_size", "chunk_size")
_SEEKS = ("seeks", "seekers")
_FILES = ("files", "max_size", "min_size", "directories", "file_chunk_size")
IO_TESTS, CREATE_TESTS = BONNIE_TESTS[:6], BONNIE_TESTS[6:]


def _with_cpu(tests: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for test in tests for name in (test, f"{test}_cpu"))


_RESULTS = (*_with_cpu(IO_TESTS), *_FILES, *_with_cpu(CREATE_TESTS), *(f"{test}_latency" for test in BONNIE_TESTS))
# Format 1.98 brought the number of seeks and of seekers.
LAYOUT_1_96 = (*_HEAD, *_RESULTS)
LAYOUT_1_98 = (*_HEAD, *_SEEKS, *_RESULTS)

_SIZE = re.compile(r"([0-9]{1,12})([kKmMgGtT]?)")
_MULTIPLIER = {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}


@dataclass(frozen=True)
class Fields:
    """One CSV line. ``file_size`` and ``chunk_size`` in bytes; None where the line leaves them empty."""

    line: int
    raw: tuple[str, ...]
    layout: tuple[str, ...]
    tool_version: str
    concurrency: int
    file_size: int | None
    chunk_size: int | None
    seek_params: dict[str, Param]
    file_params: dict[str, Param]

    @property
    def missing(self) -> int:
        return max(0, len(self.layout) - len(self.raw))

    def text(self, name: str) -> str:
        """A field's text; empty where the line has none."""
        index = self.layout.index(name) if name in self.layout else len(self.raw)
        return self.raw[index].strip() if index < len(self.raw) else ""

    def column(self, name: str) -> int:
        """The 1-based column in which a field starts."""
        return sum(len(field) + 1 for field in self.raw[: self.layout.index(name)]) + 1


def read_fields(line: str, number: int) -> Fields:
    """Name the fields of a line. Raises FormatError where there are more of them than the format has."""
    raw = tuple(line.split(","))
    layout = LAYOUT_1_96 if raw[0].strip() < "1.98" else LAYOUT_1_98
    if len(raw) > len(layout):
        raise FormatError(
            f"{len(raw)} fields where format {raw[0].strip()} has {len(layout)}", number, len(line) - len(raw[-1])
        )
    bare = Fields(number, raw, layout, raw[1].strip(), 0, None, None, {}, {})
    return Fields(
        line=number,
        raw=raw,
        layout=layout,
        tool_version=bare.tool_version,
        concurrency=_integer(bare, "concurrency") or 1,
        file_size=_size(bare, "file_size", bare_unit="m"),
        chunk_size=_size(bare, "chunk_size", bare_unit=""),
        seek_params=_integers(bare, _SEEKS),
        file_params=_file_params(bare),
    )


def _file_params(fields: Fields) -> dict[str, Param]:
    """Number of files (printed in units of 1024), their sizes in bytes, and in how many directories they are.

    bonnie++ 1.9x and 2.00 leave the field of the directories empty and write them into the next one.
    """
    params = _integers(fields, ("files", "max_size", "min_size"))
    if "files" in params:
        params["files"] = int(params["files"]) * 1024
    directories = _integer(fields, "directories") or _integer(fields, "file_chunk_size")
    if directories:
        params["directories"] = directories
    return params


def _integers(fields: Fields, names: tuple[str, ...]) -> dict[str, Param]:
    found = {name: _integer(fields, name) for name in names}
    return {name: value for name, value in found.items() if value is not None}


def _integer(fields: Fields, name: str) -> int | None:
    text = fields.text(name)
    if not text:
        return None
    if not re.fullmatch(r"-?[0-9]{1,15}", text):
        raise FormatError(f"{text!r} is no whole number", fields.line, fields.column(name))
    return int(text)


def _size(fields: Fields, name: str, bare_unit: str) -> int | None:
    """A size in bytes. bon_csv2html(1): a bare file size is in MiB, a bare chunk size in bytes."""
    text = fields.text(name)
    if not text:
        return None
    match = _SIZE.fullmatch(text)
    if not match:
        raise FormatError(f"{text!r} is no size", fields.line, fields.column(name))
    return int(match[1]) << _MULTIPLIER[match[2].lower() or bare_unit]
