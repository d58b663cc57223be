"""The fields of bonnie++ CSV lines in five layouts, from 1.00 to 2.00, and parsing of their sizes.

Sources: CSV lines, and the code of 1.03, 1.92, 1.97 and 2.00a (`BonTimer::DoReport…`). A file size without a unit is
in MiB, a chunk size without a unit in bytes (bon_csv2html(1)).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter

from benchagent.formats.model import Param
from benchagent.formats.vocabulary import BONNIE_TESTS

IO_TESTS, CREATE_TESTS = BONNIE_TESTS[:6], BONNIE_TESTS[6:]
SIZE = r"[0-9]{1,12}[KMGT]?"
CHUNK = r"[0-9]{1,12}[kKmM]?"
# `-n NUMBER[:max[:min]][/directories]`; "link" or "symlink" replaces the maximum size.
FILES = r"[0-9]{1,9}(?::(?:link|symlink|[0-9]{1,12}(?::[0-9]{1,12})?))?(?:/[0-9]{1,9})?"
_FILES = re.compile(r"([0-9]+)(?::([a-z0-9]+))?(?::([0-9]+))?(?:/([0-9]+))?")
_SHIFT = {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}
_LINKS = {"link": "hard_link", "symlink": "symbolic_link"}


def _with_cpu(tests: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for test in tests for name in (test, f"{test}_cpu"))


_IO, _CREATE = _with_cpu(IO_TESTS), _with_cpu(CREATE_TESTS)
_LATENCIES = tuple(f"{test}_latency" for test in BONNIE_TESTS)
_FILE_FIELDS = ("files", "max_size", "min_size", "directories")


_RESULTS = frozenset((*_IO, *_CREATE, *_LATENCIES))


class CsvLayout:
    """The names of a line's fields, in order; ``settings`` extracts the fields named in ``setting_names``."""

    def __init__(self, *names: str) -> None:
        self.names = names
        self.indexes = {name: index for index, name in enumerate(names)}
        self.setting_names = tuple(name for name in names if name not in _RESULTS and name != "seed")
        self.settings = itemgetter(*(self.indexes[name] for name in self.setting_names))


_HEAD = ("format_version", "bonnie_version", "name", "concurrency", "seed", "file_size", "chunk_size")
OLD = CsvLayout("name", "size", *_IO, "file_spec", *_CREATE)
FORMAT_2 = CsvLayout(*_HEAD[:3], *_HEAD[5:], *_IO, *_FILE_FIELDS, *_CREATE, *_LATENCIES)
FORMAT_1_96 = CsvLayout(*_HEAD, *_IO, *_FILE_FIELDS, "file_chunk_size", *_CREATE, *_LATENCIES)
FORMAT_1_98 = CsvLayout(*_HEAD, "seeks", "seekers", *_IO, *_FILE_FIELDS, "file_chunk_size", *_CREATE, *_LATENCIES)


def layout_of(format_version: str) -> CsvLayout:
    """The layout of a line that begins with this version; 1.98 added the numbers of seeks and seekers."""
    if format_version == "2":
        return FORMAT_2
    return FORMAT_1_96 if format_version < "1.98" else FORMAT_1_98


@dataclass(frozen=True)
class BonnieSettings:
    """The settings of a run. Sizes are bytes. Values that the line lacks are None, or missing in the params."""

    tool_version: str | None
    name: str
    concurrency: int
    file_size: int | None
    chunk_size: int | None
    seek_params: tuple[tuple[str, Param], ...] = ()
    file_params: tuple[tuple[str, Param], ...] = ()


class FieldFault(Exception):
    """A malformed field."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name, self.message = name, message


@lru_cache(maxsize=1024)
def settings_of(layout: CsvLayout, texts: tuple[str, ...]) -> BonnieSettings:
    """The settings in the texts of the layout's ``setting_names``. Raises FieldFault."""
    fields = dict(zip(layout.setting_names, texts))
    if layout is OLD:
        size, _, chunk = fields["size"].partition(":")
        spec, names = fields["file_spec"], ("size", "size")
        files = files_params(*spec_parts(_matching(fields, "file_spec", FILES, "number of files"))) if spec else ()
    else:
        size, chunk, names = fields["file_size"], fields["chunk_size"], ("file_size", "chunk_size")
        # bonnie++ 1.9x and 2.00 leave the field of the directories empty and write them into the next one.
        directories = fields["directories"] or fields.get("file_chunk_size", "")
        for name in ("files", "min_size", "directories", "file_chunk_size"):
            _matching(fields, name, r"[0-9]{1,15}", "whole number")
        _matching(fields, "max_size", r"[0-9]{1,15}|link|symlink", "whole number")
        files = files_params(fields["files"], fields["max_size"], fields["min_size"], directories)
    return BonnieSettings(
        tool_version=fields.get("bonnie_version"),
        name=fields["name"],
        concurrency=int(_matching(fields, "concurrency", r"[0-9]{1,9}", "whole number") or 1),
        file_size=_size(names[0], size, SIZE, "m"),
        chunk_size=_size(names[1], chunk, CHUNK, ""),
        seek_params=tuple(
            (name, int(text))
            for name in ("seekers", "seeks")
            if (text := _matching(fields, name, r"[0-9]{1,15}", "whole number"))
        ),
        file_params=files,
    )


def spec_parts(spec: str) -> tuple[str, str, str, str]:
    """`16:4096:0/2` → 16, 4096, 0, 2; missing parts are empty."""
    match = _FILES.fullmatch(spec)
    if not match:
        raise ValueError(spec)
    number, largest, smallest, directories = match.groups("")
    return number, largest, smallest, directories


def files_params(number: str, largest: str, smallest: str, directories: str) -> tuple[tuple[str, Param], ...]:
    """The number of files (printed in units of 1024), their sizes in bytes, and the number of their directories.

    bonnie++ does not print its defaults, empty files in one directory; the params leave them out too.
    """
    params: dict[str, Param] = {"files": int(number) * 1024} if number else {}
    if largest in _LINKS:
        params["file_type"] = _LINKS[largest]
        largest = ""
    for name, text in (("max_size", largest), ("min_size", smallest), ("directories", directories)):
        if text.isascii() and text.isdigit() and int(text):
            params[name] = int(text)
    return tuple(sorted(params.items()))


def size_in_bytes(text: str, bare_unit: str) -> int:
    """The bytes of `8G`, `32k` or `300`; a number without a unit is in ``bare_unit``."""
    unit = text[-1].lower() if text[-1].isalpha() else ""
    return int(text[: len(text) - len(unit)]) << _SHIFT[unit or bare_unit]


def _size(name: str, text: str, pattern: str, bare_unit: str) -> int | None:
    if not text:
        return None
    if not re.fullmatch(pattern, text, re.IGNORECASE):
        raise FieldFault(name, f"{text!r} is no size")
    return size_in_bytes(text, bare_unit)


def _matching(fields: dict[str, str], name: str, pattern: str, what: str) -> str:
    text = fields.get(name, "")
    if text and not re.fullmatch(pattern, text):
        raise FieldFault(name, f"{text!r} is no {what}")
    return text
