"""Keeps recognised results, so that an import stores what its preview showed, even if the parsers changed since."""

from __future__ import annotations

import dataclasses
import gzip
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NotRequired, TypedDict

from benchagent import formats
from benchagent.formats import FormatError, Parsed, Result
from benchagent.formats.model import MOST_RESULTS, Param
from benchagent.formats.over_time import OverTime
from benchagent.formats.reading.text import split_lines
from benchdb.ingest.contract.result_rules import LONGEST_PARAMS

log = logging.getLogger(__name__)

MOST_NOTED = 200  # warnings, and unread lines, kept of one file
LONGEST_LINE = 300  # characters shown of a line of raw text
# Results are many, so each is kept as a list in this order.
_FIELDS = Result._fields


class UnreadableFile(Exception):
    """The file holds nothing to store; `line` and `column` are the position at which reading ended, if any."""

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.line, self.column = line, column


class ImportHead(TypedDict):
    """The facts about a whole file, as `ImportFile.head` has them once it is read.

    `clock_resolution` is in seconds. `warnings` and `unread`, the lines with their numbers, are the first of so many.
    `companions` has the start and the tests of each file that the tool may have written beside this one; `beside` is
    the name that such files of one output share, None for other files.
    """

    tool_version: str | None
    command: str | None
    parameters: dict[str, Param]
    parser_version: str
    clock_resolution: float | None
    complete: bool
    warnings: list[str]
    warning_count: int
    unread: list[tuple[int, str]]
    unread_count: int
    companions: NotRequired[dict[str, tuple[float, dict[str, str]]]]
    beside: NotRequired[str | None]


@dataclass(frozen=True, slots=True)
class Read:
    """A file that was read; `packed` are the results, gzipped."""

    tool: str
    result_count: int
    round_count: int
    head: ImportHead
    packed: bytes


def read(
    content: bytes, name: str, version: str | None = None, *, tool: str | None = None, unit: str | None = None
) -> Read:
    """The results that the present parsers recognise in one file with this name. Raises UnreadableFile.

    `version` is that of its tool, if another file has it. A person may have chosen the `tool` and stated the `unit`.
    """
    try:
        parsed = formats.parse(content, tool, name=name, version=version, unit=unit)
    except FormatError as error:
        raise UnreadableFile(error.message, error.line, error.column) from None
    except MemoryError:
        raise
    except Exception as error:  # a fault of the parser; the other files are still read
        log.exception("a parser failed on a file that was imported")
        raise UnreadableFile(
            f"our parser failed on it, which is our fault ({type(error).__name__}: {error})"
        ) from error
    _check(parsed)
    texts = _texts(content, parsed)
    kept = {
        "results": [_listed(result) for result in parsed.results],
        "texts": texts,
        "over_time": [dataclasses.asdict(series) for series in parsed.over_time],
    }
    packed = json.dumps(kept, separators=(",", ":"))
    rounds = max(len(result.values) for result in parsed.results)
    return Read(
        parsed.tool, len(parsed.results), max(rounds, 1), _head(parsed), gzip.compress(packed.encode(), 1, mtime=0)
    )


def _check(parsed: Parsed) -> None:
    if not parsed.results:
        raise UnreadableFile(f"it is output of {parsed.tool} without results")
    if len(parsed.results) > MOST_RESULTS:
        raise UnreadableFile(f"it holds {len(parsed.results):,} results; a run has at most {MOST_RESULTS:,}: split it")
    for result in parsed.results:
        if len(json.dumps(dict(result.params), ensure_ascii=False)) > LONGEST_PARAMS:
            line = result.lines[0] if result.lines else None
            raise UnreadableFile(
                f"a result of {result.test} has parameters of more than {LONGEST_PARAMS} characters", line
            )


def _head(parsed: Parsed) -> ImportHead:
    return {
        "tool_version": parsed.tool_version and storable(parsed.tool_version),
        "command": parsed.command and storable(parsed.command),
        "parameters": {
            name: storable(value) if isinstance(value, str) else value for name, value in parsed.parameters.items()
        },
        "parser_version": parsed.parser_version,
        "clock_resolution": parsed.clock_resolution,
        "complete": parsed.complete,
        "warnings": [storable(text) for text in parsed.warnings[:MOST_NOTED]],
        "warning_count": len(parsed.warnings),
        "unread": [(line, storable(text)[:LONGEST_LINE]) for line, text in parsed.unread[:MOST_NOTED]],
        "unread_count": len(parsed.unread),
        "companions": {storable(name): (each.start, dict(each.tests)) for name, each in parsed.companions.items()},
        "beside": None if parsed.beside is None else storable(parsed.beside),
    }


def storable(text: str) -> str:
    """Text in a form that PostgreSQL accepts: NUL becomes U+FFFD, as in editors."""
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()


def _listed(result: Result) -> list[object]:
    return [dict(value) if isinstance(value := getattr(result, name), Mapping) else value for name in _FIELDS]


def _texts(content: bytes, parsed: Parsed) -> dict[int, str]:
    """The lines of raw text with results, by number; empty if the content is not text."""
    if b"\x00" in content[:4096] and not content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return {}
    lines = split_lines(formats.decoded(content))
    named = {line for result in parsed.results for line in result.lines if 0 < line <= len(lines)}
    return {line: storable(lines[line - 1])[:LONGEST_LINE] for line in sorted(named)}


SECONDS_A_RESULT = 25e-6  # to find the results of a file again: a page of 99,000 took 2 s


def results(packed: bytes) -> tuple[list[Result], dict[int, str]]:
    """The results of a file that was read, and their lines of raw text by number."""
    stored = json.loads(gzip.decompress(packed))
    rows = [dict(zip(_FIELDS, listed, strict=True)) for listed in stored["results"]]
    read_results = [Result(**{**row, "values": tuple(row["values"]), "lines": tuple(row["lines"])}) for row in rows]
    return read_results, {int(line): text for line, text in stored["texts"].items()}


def over_time(packed: bytes) -> list[OverTime]:
    """The quantities over time in a file that was read."""
    stored = json.loads(gzip.decompress(packed))
    return [OverTime(**{**row, "points": tuple(row["points"])}) for row in stored.get("over_time", ())]


def parsed(tool: str, head: ImportHead, packed: bytes) -> Parsed:
    """The parser's output again, without unread lines."""
    return Parsed(
        tool=tool,
        tool_version=head["tool_version"],
        command=head["command"],
        results=tuple(results(packed)[0]),
        warnings=tuple(head["warnings"]),
        parser_version=head["parser_version"],
        clock_resolution=head["clock_resolution"],
        complete=head["complete"],
        parameters=head["parameters"],
    )
