"""Reads fio's JSON, versions 2.x and 3.x, json+ too, with other lines around it; without it the report for people, and
without both the terse lines.

docs/formats.md lists what is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from benchagent.formats.model import FAILED, UNMEASURABLE, FormatError, Parsed
from benchagent.formats.reading.blocks import keep_blocks
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.located_json import JsonDocument, read_object
from benchagent.formats.reading.places import name_places
from benchagent.formats.reading.runs import RunValue, ToolRun
from benchagent.formats.reading.text import split_lines

from .companions import JobTimes, companions_of, times_of
from .job_entries import NAMES, JobEntry, entries_of, jobs_of, tell_apart
from .job_values import unknown
from .messages import FOR_PEOPLE, TERSE, error_in, is_interruption, is_known
from .options import file_size, place_of, record_size, rw_param, test_of
from .report import ReportEntries, entries_of_reports
from .report_text import printed_lines
from .steady import STEADY_STATE
from .terse import terse_output

TOOL = "fio"

_MARK = '"fio version"'
_START = re.compile(r'\{\s{0,40}"fio version"')
_SORTED = re.compile(r"^[ \t\[]{0,40}\{", re.M)  # if another program has written the keys in another order


def recognises(text: str) -> bool:
    return _MARK in text or any(form.search(text) for form in (TERSE, FOR_PEOPLE))


def parse(text: str, parser_version: str) -> Parsed:
    """Read every JSON document of a text, every report if there is none, else every terse line. The same jobs again are
    further values.

    Raises FormatError if there is no whole job.
    """
    documents = list(documents_in(text))
    if documents:
        starts = [entries_of(document.root) for _, document in documents]
        printed, report = list(_around(text, documents)), ReportEntries()
    else:
        printed = list(printed_lines(text))
        report = entries_of_reports(printed)
        starts = report.starts
    terse = terse_output(printed)
    entries = list(chain.from_iterable(starts))
    commands = report.other.commands if entries else terse.commands
    if not entries:
        starts = [terse.entries()]
        entries = starts[0]
    if not entries:
        raise _refusal(text, documents)
    if not documents and not any(entry.errno or entry.directions for entry in entries):
        raise FormatError("fio's report has a job without numbers only", entries[0].line)
    tell_apart(starts)
    collector = Collector()
    orphans = {line for line, _ in report.other.orphans} | terse.lines_of_others({entry.name for entry in entries})
    words, interrupted = _read_around(collector, printed, orphans, {line for line, _ in commands} | terse.descriptions)
    words = {**report.words, **words}
    for leaf in [leaf for _, document in documents for job in jobs_of(document.root) for leaf in unknown(job)]:
        collector.unread(leaf.line, leaf.text)
    for leaf in [leaf for entry in entries for direction in entry.directions for leaf in direction.unread]:
        collector.unread(leaf.line, leaf.text)
    for entry in entries:
        if entry.errno:
            collector.warn(f"job {entry.name} failed: {words.get(entry.errno, f'error {entry.errno}')}", entry.line)
    runs = [_run(entry, words) for entry in entries]
    name_places(runs)
    shared = keep_blocks(collector, runs, commands)
    whole = all(document.whole for _, document in documents)
    times = times_of(documents[0][1].root) if len(documents) == 1 else [JobTimes()] * len(entries)
    if not whole:
        collector.warn("the JSON is cut off: what was whole of it is read")
    return Parsed(
        tool=TOOL,
        tool_version=entries[-1].version,
        command=None,
        results=collector.results(),
        warnings=collector.warnings(),
        parser_version=parser_version,
        clock_resolution=0.001,  # fio divides by milliseconds
        complete=whole and not interrupted and not any(entry.errno for entry in entries),
        parameters={name: value for name, value in shared.items() if name not in NAMES},
        unread=collector.unread_lines(),
        companions=companions_of(entries, times) if len(documents) < 2 else {},
    )


def documents_in(text: str) -> Iterator[tuple[int, JsonDocument]]:
    """(start, document) of each document, in order."""
    position, line, counted = 0, 1, 0
    while (mark := text.find(_MARK, position)) >= 0:
        match = _START.search(text, position, mark + len(_MARK)) or _SORTED.search(text, position, mark)
        if match is None:
            position = mark + len(_MARK)
            continue
        start = text.index("{", match.start())
        line, counted = line + text.count("\n", counted, start), start
        document = read_object(text, start, line)
        yield start, document
        position = document.end


def _refusal(text: str, documents: list[tuple[int, JsonDocument]]) -> FormatError:
    """The error for a text without a whole job."""
    if documents:
        return FormatError("fio's JSON has no whole job in it", _line_of(text, documents[0][0]))
    if match := TERSE.search(text):
        return FormatError("fio's terse line is cut or changed", _line_of(text, match.start()))
    if match := FOR_PEOPLE.search(text):
        return FormatError("fio's report has no finished job in it", _line_of(text, match.start()))
    return FormatError(f"no output of fio is there: neither JSON, {{{_MARK}, nor a report, NAME: (groupid=0, jobs=1)")


def _line_of(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _around(text: str, documents: list[tuple[int, JsonDocument]]) -> Iterator[tuple[int, str]]:
    """(line number, message) of everything outside of the JSON documents."""
    position, line = 0, 1
    for start, end in [*((start, document.end) for start, document in documents), (len(text), len(text))]:
        for number, printed in enumerate(split_lines(text[position:start]), start=line):
            for message in printed.split("\r"):  # progress overwrites itself
                yield number, message
        line += text.count("\n", position, end)
        position = end


def _read_around(
    collector: Collector, printed: list[tuple[int, str]], orphans: set[int], commands: set[int]
) -> tuple[dict[int, str], bool]:
    """fio's message for each error number, and whether it was interrupted; foreign lines are unread."""
    words: dict[int, str] = {}
    interrupted = False
    for number, message in printed:
        if error := error_in(message):
            words.setdefault(*error)
        if is_interruption(message):
            interrupted = True
            collector.warn(message.strip()[:200], number)
        if message.strip() and number not in commands and (number in orphans or not is_known(message)):
            collector.unread(number, message[:200])
    return words, interrupted


def _run(entry: JobEntry, words: dict[int, str]) -> ToolRun:
    """The numbers of one job. A failed job keeps those it measured."""
    error = words.get(entry.errno, f"fio reports error {entry.errno}") if entry.errno else None
    why, status = (error, FAILED) if error else ("fio printed no work in this direction", UNMEASURABLE)
    failure = error or "this run has no such number"
    run = ToolRun(entry.line, entry.facts, failure=failure, place=place_of(entry.options))
    for direction in entry.directions:
        measured = list(direction.values)
        if not any(cell.value is not None for cell in measured):
            measured = [RunValue("", "throughput", None, entry.line, error=why, status=status)]
        for cell in measured:
            if direction.moved and cell.metric == "throughput" and not cell.params:
                cell.evidence = {"logical_bytes": direction.moved}
        run.cells += _placed(measured, entry, direction.name)
    if not entry.directions:
        run.cells.append(RunValue("job", "elapsed", None, entry.line, error=why, status=status))
    tests = [direction.name for direction in entry.directions if direction.name != "sync"]
    if any(value.value is not None for value in run.cells):
        used = [cell for cell in entry.cpu if cell.value is not None]
        run.cells += _placed(used, entry, tests[0] if len(tests) == 1 else "mixed")
        run.cells += _steady(entry, tests[0] if len(tests) == 1 else "mixed")
    return run


def _steady(entry: JobEntry, direction: str) -> list[RunValue]:
    """The time until the job was steady, as a test of its own that names the one that it is of."""
    placed = _placed([entry.steady] if entry.steady else [], entry, direction)
    for value in placed:
        value.params, value.test = {**value.params, "during": value.test}, STEADY_STATE
    return placed


def _placed(values: list[RunValue], entry: JobEntry, direction: str) -> list[RunValue]:
    """The values with their test and sizes; sync has no records of its own."""
    test, options = test_of(direction, entry.rw), entry.options
    size, rw = file_size(options), rw_param(options, entry.rw)
    records = record_size(options, direction) if direction != "sync" else None
    for value in values:
        value.test, value.file_size, value.record_size, value.threads = test, size, records, entry.threads
        value.params = {**rw, **value.params}
    return values
