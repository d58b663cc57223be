"""`benchagent parse`: reads a tool's output and prints its results."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import nullcontext
from dataclasses import asdict, replace

from benchagent import formats
from benchagent.errors import LinesUnread, UnknownOutput, UsageError
from benchagent.formats import FormatError, Parsed, Result, printed_units
from benchagent.progress import CONTROL
from benchagent.toml.quantities import format_size

from . import options

LONGEST_OUTPUT = 64 * 2**20  # bytes


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    tools = [form.TOOL for form in formats.all_formats().text]
    parser = subparsers.add_parser(
        "parse",
        help="read a tool's output and print its results",
        description="Read a tool's output and print its results. The tool is recognized by the text: "
        + ", ".join(tools)
        + ".",
    )
    parser.add_argument("file", metavar="FILE", help="file with the output; - is standard input")
    parser.add_argument("--tool", choices=tools, help="the tool, if it is not to be recognized")
    parser.add_argument(
        "--unit", choices=formats.stated_units(), help="the unit of the numbers, if the text does not contain it"
    )
    parser.add_argument(
        "--strict", action="store_true", help="list lines that were not recognized, and fail if there are any"
    )
    options.add_json(parser, "print the results as JSON, in base units")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the results.

    Raises UnknownOutput if the text cannot be read, LinesUnread for unread lines with --strict.
    """
    try:
        name = None if args.file == "-" else args.file
        parsed = formats.parse(_read(args.file), args.tool, name=name, unit=args.unit)
    except FormatError as error:
        raise UnknownOutput(args.file, error) from None
    if args.json:
        print(json.dumps(as_dict(parsed), indent=2, ensure_ascii=False))
    else:
        for line in lines(parsed):
            print(CONTROL.sub("?", line))
    for warning in parsed.warnings:
        print(f"warning: {CONTROL.sub('?', warning)}", file=sys.stderr)
    if args.strict and parsed.unread:
        for number, line in parsed.unread:
            print(f"not read: line {number}: {CONTROL.sub('?', line)}", file=sys.stderr)
        raise LinesUnread(args.file, "1 line" if len(parsed.unread) == 1 else f"{len(parsed.unread)} lines")
    return 0


def as_dict(parsed: Parsed) -> dict[str, object]:
    """The parsed output as JSON data, with sizes in bytes and values in each metric's base unit."""
    return {
        **asdict(replace(parsed, companions={})),
        "results": [{**asdict(result), "params": dict(result.params)} for result in parsed.results],
    }


def lines(parsed: Parsed) -> list[str]:
    """The results as a table for people."""
    rows: list[tuple[str, ...]] = [("test", "metric", "value", "file", "record", "threads", "params")]
    units = printed_units.units(parsed.results)
    rows += [_row(result, units[result.metric]) for result in parsed.results]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    table = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
    count = "1 result" if len(parsed.results) == 1 else f"{len(parsed.results)} results"
    return [f"{parsed.tool} {parsed.tool_version or '(version unknown)'}, {count}", *table]


def _row(result: Result, unit: str) -> tuple[str, ...]:
    values = " ".join("–" if value is None else printed_units.say(value, unit) for value in result.values)
    return (
        result.test,
        result.metric,
        f"{values} {unit}" if result.status == "ok" else f"{result.status}: {result.error}",
        format_size(result.file_size) if result.file_size else "",
        format_size(result.record_size) if result.record_size else "",
        str(result.threads or ""),
        " ".join(f"{name}={value}" for name, value in result.params.items()),
    )


def _read(path: str) -> bytes:
    """The bytes of the file or of standard input. Raises UsageError."""
    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else open(path, "rb") as file:
            data = file.read(LONGEST_OUTPUT + 1)
    except OSError as error:
        raise UsageError(f"Cannot read {path}: {error.strerror}.") from None
    if len(data) > LONGEST_OUTPUT:
        raise UsageError(f"{path} is larger than {format_size(LONGEST_OUTPUT)}, which no output of a tool is.")
    return data
