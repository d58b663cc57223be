"""fsperf's database, `fsperf-results.db`: the runs of its tests, with the numbers of fio, dbench and its own clock.

Runs of one test with the same section of `local.cfg`, kernel, purpose and machine are the values of one result. A line
of a result is the id of its run.
"""

from __future__ import annotations

import math
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from benchagent.formats.model import FormatError, Param, Parsed
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.runs import RunValue, ToolRun, keep

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


_NS = 10**9
_LATENCIES = {"lat": "total", "clat": "completion"}  # as of the JSON of fio


@dataclass(frozen=True)
class Meaning:
    """A column's test and metric. Base units are the number times ``times``, over ``over``.

    ``if_any`` is a column that is 0 if the test was not part of the run.
    """

    test: str
    metric: str
    times: int = 1
    over: int = 1
    params: Mapping[str, Param] = field(default_factory=dict)
    if_any: str = ""


def _of_fio() -> Iterator[tuple[str, Meaning]]:
    for test in ("read", "write"):
        order: dict[str, Param] = {"order": "unknown"}  # of the accesses: the options of fio are not stored
        any_ = f"{test}_iops"
        yield f"{test}_iops", Meaning(test, "rate", params=order, if_any=any_)
        yield f"{test}_bw_bytes", Meaning(test, "throughput", params=order, if_any=any_)
        for name in ("lat_ns_min", "lat_ns_mean", "lat_ns_max", "clat_ns_mean", "clat_ns_p50", "clat_ns_p99"):
            kind, _, statistic = name.split("_")
            params: dict[str, Param] = {**order, "latency": _LATENCIES[kind]}
            yield f"{test}_{name}", Meaning(test, f"latency_{statistic}", over=_NS, params=params, if_any=any_)


_OPERATIONS = (
    "ntcreatex", "close", "rename", "unlink", "deltree", "mkdir", "qpathinfo", "qfileinfo", "qfsinfo", "sfileinfo",
    "find", "writex", "readx", "lockx", "unlockx", "flush",
)  # fmt: skip

# table → column → meaning. fsperf keeps the last column of dbench's table, the greatest latency in ms.
TABLES: dict[str, dict[str, Meaning]] = {
    "fio_results": dict(_of_fio()),
    "dbench_results": {
        "throughput": Meaning("dbench", "throughput", 10**6),
        **{name: Meaning(name, "latency_max", over=1000) for name in _OPERATIONS},
    },
    "time_results": {"elapsed": Meaning("run", "elapsed")},
    "btrfs_commit_stats": {
        "avg_commit_ms": Meaning("commit", "latency_mean", over=1000, if_any="commits"),
        "max_commit_ms": Meaning("commit", "latency_max", over=1000, if_any="commits"),
    },
    "mount_timings": {"end_state_mount_ns": Meaning("mount", "elapsed", over=_NS, if_any="end_state_mount_ns")},
}
# Their columns are listed as not read.
OTHER_TABLES = ("io_stats", "fragmentation", "latency_traces")
VERSION_TABLE = "alembic_version"  # of the tables' layout
# Column of `runs` → name of the fact.
FACTS = {"name": "benchmark", "config": "config", "kernel": "kernel", "purpose": "purpose", "hostname": "machine"}
