"""`benchagent parse`: reads a tool's output, or all of a directory, and prints the results."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path

from benchagent import formats
from benchagent.errors import LinesUnread, UnknownOutput
from benchagent.formats import FormatError, Parsed, Result, printed_units
from benchagent.progress import json_text, one_line
from benchagent.toml.quantities import format_size

from . import options
from .outputs import Output, content_of, outputs_in, read_output


def declare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    tools = [form.TOOL for form in formats.all_formats().text]
    parser.description = (
        "Read a tool's output, or every output in a directory, and print the results. Files compressed "
        "with gzip or xz are inflated. The tool is recognized by the text: " + ", ".join(tools) + "."
    )
    parser.add_argument("file", metavar="FILE", help="file with the output, or directory; - is standard input")
    parser.add_argument("--tool", choices=tools, help="the tool, if it is not to be recognized")
    parser.add_argument(
        "--unit", choices=formats.stated_units(), help="the unit of the numbers, if the text does not contain it"
    )
    parser.add_argument(
        "--strict", action="store_true", help="list lines that were not recognized, and fail if there are any"
    )
    options.add_json(parser, "print the results as JSON, in base units")


def run(args: argparse.Namespace) -> int:
    """Print the results.

    Raises UnknownOutput if no text can be read, LinesUnread for unread lines with --strict.
    """
    if args.file != "-" and Path(args.file).is_dir():
        return _run_directory(args)
    try:
        parsed = read_output(content_of(args.file), args.tool, args.unit)
    except FormatError as error:
        raise UnknownOutput(args.file, error) from None
    if args.json:
        print(json_text(as_dict(parsed), indent=2))
    else:
        print("\n".join(map(one_line, lines(parsed))))
    _print_warnings(parsed)
    if args.strict:
        _check_unread(args.file, [(args.file, parsed)])
    return 0


def _run_directory(args: argparse.Namespace) -> int:
    found = outputs_in(Path(args.file), args.tool, args.unit)
    if args.json:
        print(json_text({"outputs": [output_as_dict(output) for output in found.outputs]}, indent=2))
    else:
        texts = [line for output in found.outputs for line in ("", *_of_output(output))]
        print("\n".join(map(one_line, texts[1:])))
    for name, parsed in found.read:
        _print_warnings(parsed, f"{name}: ")
    for name, reason in found.left_out:
        print(f"left out: {one_line(f'{name}: {reason}')}", file=sys.stderr)
    if not found.outputs:
        raise UnknownOutput(args.file, "no file in it is output of a supported tool")
    if args.strict:
        _check_unread(args.file, found.read)
    return 0


def _of_output(output: Output) -> list[str]:
    iterations = f", {len(output.files)} iterations" if len(output.files) > 1 else ""
    return [f"{output.name}{iterations}", *lines(output.parsed)]


def _print_warnings(parsed: Parsed, of: str = "") -> None:
    for warning in parsed.warnings:
        print(f"warning: {one_line(of + warning)}", file=sys.stderr)


def _check_unread(path: str, read: Iterable[tuple[str, Parsed]]) -> None:
    """Print the unread lines. Raises LinesUnread if there are any."""
    count = 0
    for name, parsed in read:
        of = "" if name == path else f"{name}: "
        count += len(parsed.unread)
        for number, line in parsed.unread:
            print(f"not read: {one_line(f'{of}line {number}: {line}')}", file=sys.stderr)
    if count:
        raise LinesUnread(path, "1 line" if count == 1 else f"{count} lines")


def output_as_dict(output: Output) -> dict[str, object]:
    """An output of a directory as JSON data. Values and their lines follow the files; 0 is the line of no value."""
    return {"name": output.name, "run": output.run, "files": list(output.files), **as_dict(output.parsed)}


def as_dict(parsed: Parsed) -> dict[str, object]:
    """The parsed output as JSON data, with sizes in bytes and values in each metric's base unit."""
    return {
        **asdict(replace(parsed, companions={}, results=())),
        "results": [
            {**result._asdict(), "params": dict(result.params), "evidence": dict(result.evidence)}
            for result in parsed.results
        ],
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
