"""fsperf's database, `fsperf-results.db`: the runs of its tests, with the numbers of fio, dbench and its own clock.

Runs of one test with the same section of `local.cfg`, kernel, purpose and machine are the values of one result. A line
of a result is the id of its run.
"""

from __future__ import annotations

import math
import sqlite3
from collections import Counter

from benchagent.formats.model import FormatError, Parsed
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.runs import RunValue, ToolRun, keep

from .columns import FACTS, OTHER_TABLES, TABLES, VERSION_TABLE, Meaning
from .database import MAGIC, Cell, Row, opened, table, table_names

TOOL = "fsperf"
_KEYS = ("id", "run_id")
_MOST_ID = 2**31 - 1


def recognises(data: bytes) -> bool:
    """Whether the file is an SQLite database; no other tool's is read, so `parse` says what others lack."""
    return data.startswith(MAGIC)


def parse(data: bytes, parser_version: str) -> Parsed:
    """Read every run. Raises FormatError for other or damaged databases, and if no run has a number."""
    if not data.startswith(MAGIC):
        raise FormatError("this is no database of fsperf: it does not begin as SQLite's files do")
    collector = Collector()
    with opened(data) as connection:
        runs = _runs(connection)
        for name, meanings in TABLES.items():
            _read(connection, name, meanings, runs, collector)
        for name in OTHER_TABLES:
            _read(connection, name, {}, runs, collector)
        for name in sorted(table_names(connection) - {"runs", VERSION_TABLE, *TABLES, *OTHER_TABLES}):
            collector.unread(1, f"the table {name}"[:500])
    measured = [run for run in runs.values() if run.cells]
    if not measured:
        raise FormatError("no run of fsperf has a number")
    return Parsed(
        tool=TOOL,
        tool_version=None,
        command=None,
        parameters=keep(collector, measured),
        results=collector.results(),
        warnings=collector.warnings(),
        unread=collector.unread_lines(),
        parser_version=parser_version,
    )


def _runs(connection: sqlite3.Connection) -> dict[int, ToolRun]:
    """The runs by id, without numbers."""
    found = table(connection, "runs")
    if found is None:
        raise FormatError("this SQLite database is not of fsperf: it has no table of runs")
    runs = {}
    for row in found.rows:
        number = row["id"]
        if not isinstance(number, int) or not 1 <= number <= _MOST_ID:
            raise FormatError("a run has no number that counts runs")
        facts = {fact: str(row[column]) for column, fact in FACTS.items() if row.get(column)}
        runs[number] = ToolRun(number, {**facts}, ended=True)
    return runs


def _read(
    connection: sqlite3.Connection,
    name: str,
    meanings: dict[str, Meaning],
    runs: dict[int, ToolRun],
    collector: Collector,
) -> None:
    """Add the numbers of a table to their runs; its other columns are unread, if any of them has a number but 0."""
    found = table(connection, name)
    if found is None:
        return
    rows_of: Counter[int] = Counter()
    lacking = 0
    for row in found.rows:
        number = row.get("run_id")
        run = runs.get(number) if isinstance(number, int) else None
        if run is None:
            lacking += 1
            continue
        rows_of[run.line] += 1
        run.cells += _values(row, meanings, run.line, rows_of[run.line])
    if lacking:
        collector.warn(f"{name}: {lacking} rows belong to no run")
    others = [
        column
        for column in found.columns
        if column not in meanings and column not in _KEYS and any(row.get(column) for row in found.rows)
    ]
    if others:
        collector.unread(max(1, min(rows_of, default=1)), f"{name}: {', '.join(others)}"[:500])


def _values(row: Row, meanings: dict[str, Meaning], line: int, place: int) -> list[RunValue]:
    """The numbers of a row, which is the run's `place`-th of its table, from 1."""
    values = []
    for column, meaning in meanings.items():
        if column not in row or (meaning.if_any and not row.get(meaning.if_any)):
            continue
        value = _measured(row[column])
        params = {**meaning.params, **({"row": place} if place > 1 else {})}
        error = "fsperf has 0, which it also writes for a number that is missing" if value is None else ""
        base = value * meaning.times / meaning.over if value is not None else None
        values.append(RunValue(meaning.test, meaning.metric, base, line, params, error=error))
    return values


def _measured(cell: Cell) -> float | None:
    """A number above 0; None for 0, for no number, and for anything that cannot be measured."""
    return None if not isinstance(cell, (int, float)) or not math.isfinite(cell) or cell <= 0 else float(cell)
