"""The outputs in a file or directory: inflates files, and joins the iterations of mmtests."""

from __future__ import annotations

import json
import lzma
import os
import stat
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from benchagent import formats
from benchagent.errors import UsageError
from benchagent.formats import FormatError, Parsed, Result
from benchagent.formats.mmtests import is_copy, log_of
from benchagent.formats.reading.compressed import stream_of, without_suffix
from benchagent.formats.rounds import RoundOutput, merged
from benchagent.progress import one_line
from benchagent.toml.quantities import format_size

LONGEST_OUTPUT = 64 * 2**20  # bytes, inflated
MOST_FILES = 10_000
_COPY = "mmtests repeats lines of the logs beside it in this file"


class FileContent(NamedTuple):
    """The inflated bytes of a file, with the name that it has without compression; None for standard input."""

    name: str | None
    data: bytes


@dataclass(frozen=True)
class Output:
    """The results of one file, or of the same log in all iterations of a run of mmtests.

    ``run`` is the name of that run, None for other files. ``files`` are in the order of the iterations.
    """

    name: str
    run: str | None
    files: tuple[str, ...]
    parsed: Parsed


@dataclass
class FoundOutputs:
    """The outputs of a directory, the results of each file, and (name, reason) of each file that is left out."""

    outputs: list[Output] = field(default_factory=list)
    read: list[tuple[str, Parsed]] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)


def content_of(path: str) -> FileContent:
    """The content of a file, or of standard input if the path is `-`. Raises UsageError."""
    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else open(path, "rb") as file:
            data = file.read(LONGEST_OUTPUT + 1)
    except OSError as error:
        raise UsageError(f"Cannot read {path}: {error.strerror}.") from None
    name = None if path == "-" else path
    if stream := stream_of(data):
        name = name and without_suffix(name)
        try:
            data = stream.read(LONGEST_OUTPUT + 1)
        except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
            raise UsageError(f"Cannot read {path}: it is damaged ({error}).") from None
    if len(data) > LONGEST_OUTPUT:
        raise UsageError(f"{path} is larger than {format_size(LONGEST_OUTPUT)}, which no output of a tool is.")
    return FileContent(name, data)


def read_output(content: FileContent, tool: str | None, unit: str | None) -> Parsed:
    """The results of one file. Raises FormatError."""
    return formats.parse(content.data, tool, name=content.name, unit=unit)


def outputs_in(directory: Path, tool: str | None, unit: str | None) -> FoundOutputs:
    """The outputs of all files below a directory; links are not followed. Raises UsageError for too many files.

    Bytes and characters in names that cannot be printed are `?`, ends of lines are blanks.
    """
    found = FoundOutputs()
    groups: dict[tuple[str, ...], list[tuple[str, Parsed]]] = {}
    iterations: set[tuple[str, ...]] = set()
    for path in _paths_in(directory, found.left_out):
        name = one_line(path)
        if is_copy(path):
            found.left_out.append((name, _COPY))
            continue
        try:
            content = content_of(str(directory / path))
            parsed = read_output(content, tool, unit) if content.data.strip() else None
        except (FormatError, UsageError) as error:
            found.left_out.append((name, one_line(str(error))))
            continue
        if parsed is not None:
            found.read.append((name, parsed))
            log = log_of(without_suffix(path))
            workload = (parsed.tool, parsed.tool_version or "", json.dumps(dict(parsed.parameters), sort_keys=True))
            group = (log.place if log else path, *workload)
            if log and (*group, str(log.iteration)) in iterations:  # `run.log` beside `run.log.gz`
                group = (path, *workload)
            iterations.add((*group, str(log.iteration if log else 0)))
            groups.setdefault(group, []).append((name, parsed))
    found.outputs = [_joined(of_group, one_line(directory.resolve().name)) for of_group in groups.values()]
    return found


def _paths_in(directory: Path, left_out: list[tuple[str, str]]) -> Sequence[str]:
    """The paths of regular files below a directory, in order of their names and of mmtests' iterations.

    What cannot be looked at is added to `left_out`.
    """
    paths: list[str] = []

    def leave_out(error: OSError) -> None:
        left_out.append((one_line(os.path.relpath(error.filename, directory)), f"Cannot read it: {error.strerror}."))

    for folder, _, files in os.walk(directory, onerror=leave_out):
        for file in files:
            path = os.path.join(folder, file)
            try:
                if stat.S_ISREG(os.lstat(path).st_mode):
                    paths.append(os.path.relpath(path, directory))
            except OSError as error:
                leave_out(error)
        if len(paths) > MOST_FILES:
            raise UsageError(f"There are more than {MOST_FILES:,} files in {directory}. Name a directory inside it.")
    logs = {path: log_of(without_suffix(path)) for path in paths}
    return sorted(
        paths, key=lambda path: (log.folder, log.log, log.iteration, path) if (log := logs[path]) else (path, "", 0, "")
    )


def _joined(group: Sequence[tuple[str, Parsed]], directory: str) -> Output:
    """One output of the same log in several iterations, whose values are in their order.

    Paths that begin with the iteration are in the directory of their run.
    """
    (name, first), *others = group
    log = log_of(without_suffix(name))
    run = log.run or directory or None if log else None
    if not others:
        return Output(name, run, (name,), first)
    parsed = replace(
        first,
        results=_results(group),
        warnings=tuple(f"{each}: {warning}" for each, of_file in group for warning in of_file.warnings),
        complete=all(of_file.complete for _, of_file in group),
        unread=tuple(line for _, of_file in group for line in of_file.unread),
        companions={},
    )
    assert log is not None
    return Output(log.place.lstrip("/"), run, tuple(each for each, _ in group), parsed)


def _results(group: Sequence[tuple[str, Parsed]]) -> tuple[Result, ...]:
    rounds = list(_rounds(group))
    return tuple(
        Result(
            test=each.test,
            metric=each.metric,
            unit=each.unit,
            values=tuple(each.values),
            file_size=each.file_size,
            record_size=each.record_size,
            threads=each.threads,
            params=each.params,
            status=each.status,
            error=each.error,
            lines=tuple(line or 0 for line in each.lines),
            evidence={key: float(amount) for key, amount in each.evidence.items()},
            histograms=tuple(each.histograms),
        )
        for each in merged(rounds, len(rounds), {})
    )


def _rounds(group: Sequence[tuple[str, Parsed]]) -> Iterator[RoundOutput]:
    """Each file's values in their order."""
    number = 0
    for name, parsed in group:
        for index in range(max(len(result.values) for result in parsed.results)):
            yield RoundOutput(number, name, parsed, index)
            number += 1
