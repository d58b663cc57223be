"""Parsers of benchmark tools' output: text in, results out. Pure functions, used by agent and server alike.

Each format is a folder of this package with ``TOOL``, ``RANK``, ``recognises(text)`` and ``parse(text,
parser_version)``; all folders are discovered. CONTRIBUTING.md describes how to add one.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial

from .discovery import BinaryFormat, Formats, NamedFormat, TextFormat, discovered, folder_names
from .model import FinalError, FormatError, Parsed, Result, ToolSeries
from .reading.garbage import without_garbage_collection
from .reading.other_files import name_of_file
from .reading.sections import printable
from .reading.sources import SourceText, source_texts
from .refusals import explained, without_remarks

# Raise it whenever a parser reads the same text differently: `manage.py reparse --all` then reads the kept texts again.
PARSER_VERSION = "9"
LOOKED_AT = 4096  # bytes of a file, for its encoding
_SHOWN = 80  # characters of a line in a message
MOST_LINES = 3_000_000  # of short lines readers would need gigabytes

__all__ = [
    "PARSER_VERSION",
    "BinaryFormat",
    "FormatError",
    "Formats",
    "NamedFormat",
    "Parsed",
    "Result",
    "TextFormat",
    "ToolSeries",
    "all_formats",
    "decoded",
    "is_named",
    "parse",
    "stated_units",
]


@cache
def all_formats() -> Formats:
    """Every format. An agent that measures never asks for them: their readers need 5 MB of memory."""
    return discovered(folder_names(__path__))


def stated_units() -> tuple[str, ...]:
    """The units that a person may state for tools whose outputs may lack theirs, in the order of the tools."""
    return tuple(dict.fromkeys(unit for form in all_formats().text for unit in getattr(form, "STATED_UNITS", ())))


def parse(
    text: str | bytes,
    tool: str | None = None,
    *,
    name: str | None = None,
    version: str | None = None,
    unit: str | None = None,
) -> Parsed:
    """Read a tool's output. Without ``tool``, the first format that recognises the text reads it.

    ``name`` is that of the file, if the text is a whole file, and ``version`` that of its tool, if it is known from
    elsewhere; some files cannot be read without them. ``unit``, one of STATED_UNITS, is that of the numbers if the text
    does not say it: a unit in the text is preferred. Bytes are a file as it is: a spreadsheet, or text in UTF-8 or in
    the encoding of its byte order mark. Raises FormatError, with line and column, if the text cannot be read, or only
    by guessing.
    """
    formats, binary_formats, named_formats = _formats_of(tool)
    if not formats:
        raise FormatError(f"there is no format {tool}; supported are {_tools()}")
    if unit is not None and unit not in stated_units():
        raise FormatError(f"{unit} cannot be stated as a unit; possible are {', '.join(stated_units())}")
    if isinstance(text, bytes):
        for binary in binary_formats:
            if binary.recognises(text):
                return _with_results(_reader(binary, unit)(text))
        text = decoded(text)
    text = text.replace("\x00", "\ufffd")  # neither a database nor a page can hold NUL
    if text.count("\n") > MOST_LINES:
        raise FormatError(f"a text of more than {MOST_LINES:,} lines; split it")
    with without_garbage_collection():
        for named in named_formats:
            if named.recognises(text, name):
                return named.parse(text, name, version, PARSER_VERSION)
        sources = source_texts(text, lambda lines: any(form.recognises(lines) for form in formats))
        if sources[0].side:
            return _of_diff(sources, formats, tool, unit)
        return _joined([_parse_source(source, formats, tool, unit) for source in sources], sources)


def is_named(name: str) -> bool:
    """Whether the meaning of a file can be in this name, and in the version of a tool that another file has."""
    return any(named.is_name(name) for named in all_formats().named)


def decoded(data: bytes) -> str:
    """The text of a file. Bytes that are not of its encoding become U+FFFD."""
    return data.decode(encoding_of(data), "replace")


def encoding_of(data: bytes) -> str:
    """The encoding of a file that begins with these bytes: UTF-8, or UTF-16, which PowerShell writes."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    for name, start in (("utf-16-le", 1), ("utf-16-be", 0)):  # without a byte order mark: every other byte is 0
        high = data[start:LOOKED_AT:2]
        if 10 * high.count(0) > 9 * len(high):
            return name
    return "utf-8-sig"


def _formats_of(tool: str | None) -> Formats:
    """The formats that may read a text. Without need, the readers of other tools are not even loaded."""
    if tool is None:
        return all_formats()
    own = discovered([tool]).of(tool) if tool in _folder_names() else None
    return own if own and own.text else all_formats().of(tool)


@cache
def _folder_names() -> frozenset[str]:
    return frozenset(folder_names(__path__))


def _parse_source(source: SourceText, formats: Sequence[TextFormat], tool: str | None, unit: str | None) -> Parsed:
    form = next((form for form in formats if tool or form.recognises(source.text)), None)
    if form is None:
        if name := name_of_file(source.text):
            raise FormatError(f"this is {name}")
        raise FormatError(f"no supported tool printed this; supported are {_tools()}")
    read = _reader(form, unit)
    try:
        parsed = without_remarks(source.text, read(source.text), read)
        return _with_hints(_with_results(parsed), formats)
    except FinalError:
        raise
    except FormatError as refused:
        others = [other for other in formats if other is not form and other.recognises(source.text)]
        error = explained(refused, source.text, read, {other.TOOL: _reader(other, unit) for other in others})
        raise FormatError(error.message, error.line, error.column + source.removed.get(error.line, 0)) from None


def _reader(form: TextFormat | BinaryFormat, unit: str | None) -> Callable[..., Parsed]:
    """The reader of a format, with a unit that a person states. It raises FormatError for a unit of another tool."""
    parse_with_version: Callable[..., Parsed] = partial(form.parse, parser_version=PARSER_VERSION)
    if unit is None:
        return parse_with_version
    units: Sequence[str] = getattr(form, "STATED_UNITS", ())
    if not units:
        return partial(_read_without_unit, parse_with_version, form.TOOL, unit)
    if unit not in units:
        raise FormatError(f"{unit} is no unit of {form.TOOL}; possible are {', '.join(units)}")
    return partial(parse_with_version, unit=unit)


def _read_without_unit(read: Callable[..., Parsed], tool: str, unit: str, content: str | bytes) -> Parsed:
    parsed = read(content)
    warning = f"the unit {unit}, which was stated, is not used: outputs of {tool} contain their units"
    return replace(parsed, warnings=(*parsed.warnings, warning))


def _with_results(parsed: Parsed) -> Parsed:
    """The same. Raises FormatError if none of the lines of a recognized text gave a result."""
    if len(parsed.results):
        return parsed
    line, text = next(iter(parsed.unread), (1, ""))
    why = f": {printable(text, _SHOWN)}" if text else f" ({parsed.warnings[0]})" if parsed.warnings else ""
    raise FormatError(f"this is output of {parsed.tool}, and no result in it could be read{why}", line)


def _of_diff(sides: Sequence[SourceText], formats: Sequence[TextFormat], tool: str | None, unit: str | None) -> Parsed:
    """The output that a diff adds, and the one that it removes if both are complete, as sections."""
    before, after = sides
    new = _parse_source(after, formats, tool, unit)
    try:
        old = _parse_source(before, formats, tool, unit)
    except FormatError:
        old = None
    if old is None or not (old.complete and new.complete) or old.tool != new.tool:
        warning = "the lines that the diff removes are not read: they are no complete output of the same tool"
        return replace(new, warnings=(*new.warnings, warning))
    results = [
        result._replace(params={**result.params, "section": _section(side, result)})
        for side, parsed in ((before.side, old), (after.side, new))
        for result in parsed.results
    ]
    warnings = (
        f"{side}: {warning}" for side, parsed in (("before", old), ("after", new)) for warning in parsed.warnings
    )
    unread = tuple(sorted({*old.unread, *new.unread}))
    return replace(new, results=tuple(results), warnings=tuple(warnings), unread=unread)


def _section(side: str, result: Result) -> str:
    section = result.params.get("section")
    return f"{side}, {section}" if section else side


def _with_hints(parsed: Parsed, formats: Sequence[TextFormat]) -> Parsed:
    """Add a warning for each other tool whose output may be among the unread lines."""
    unread = "\n".join(line for _, line in parsed.unread)
    others = [form.TOOL for form in formats if unread and parsed.tool != form.TOOL and form.recognises(unread)]
    hints = tuple(f"there is output of {other} too: read that with --tool {other}" for other in others)
    return replace(parsed, warnings=(*parsed.warnings, *hints)) if hints else parsed


def _joined(parsed: Sequence[Parsed], sources: Sequence[SourceText]) -> Parsed:
    """Join what several sources printed; the params of each result name its source."""
    if sources[0].source is None:
        return parsed[0]
    tools = sorted({output.tool for output in parsed})
    if len(tools) > 1:
        raise FormatError(f"the sources' lines are of several tools, {', '.join(tools)}: split the text by tool")
    outputs = [(source.source or "", output) for source, output in zip(sources, parsed)]
    return replace(
        parsed[0],
        results=tuple(
            result._replace(params={**result.params, "source": name})
            for name, output in outputs
            for result in output.results
        ),
        warnings=tuple(f"{name}: {warning}" for name, output in outputs for warning in output.warnings),
        complete=all(output.complete for output in parsed),
        unread=tuple(sorted(line for output in parsed for line in output.unread)),
    )


def _tools() -> str:
    return ", ".join(form.TOOL for form in all_formats().text)
