"""Reads elbencho's table of phases, and its files of CSV and JSON, which may be in one text."""

from __future__ import annotations

from benchagent.formats.model import Parsed
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.parsed_runs import parsed_runs
from benchagent.formats.reading.runs import common
from benchagent.formats.reading.text import split_lines

from . import json_rows
from .csv_rows import BEGINNING, row_runs, unread_in
from .table import PhaseTable, has_table

TOOL = "elbencho"


def recognises(text: str) -> bool:
    return BEGINNING in text or json_rows.BEGINNING in text or has_table(text)


def parse(text: str, parser_version: str) -> Parsed:
    """Read every phase of a text.

    Raises FormatError if no phase has a number, for a row of CSV that has not the fields of its header, and for a line
    of JSON that is not whole.
    """
    collector = Collector()
    table = PhaseTable()
    header, rows = "", list[tuple[int, str]]()
    versions = set[str]()
    for number, line in enumerate(split_lines(text), start=1):
        if line.startswith(BEGINNING):
            table.runs += row_runs(header, rows, collector)
            header, rows = line, []
        elif line.startswith(json_rows.BEGINNING):
            run, version = json_rows.object_run(line, unread_in(collector, number), number)
            table.runs.append(run)
            versions.add(version)
        elif header and line.count(",") > header.count(",") // 2:
            rows.append((number, line))
        elif line.strip() and not table.take(line.strip(), number):
            collector.unread(number, line)
    table.runs += row_runs(header, rows, collector)
    return parsed_runs(
        TOOL,
        collector,
        table.runs,
        lacking="no phase is there: elbencho prints rows below “OPERATION RESULT TYPE” when a phase ends",
        parser_version=parser_version,
        version=common(versions) or None,
        command=common(table.commands),
    )
