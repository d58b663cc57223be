"""fsperf's database: units, repetitions, and databases that are damaged or hostile."""

from __future__ import annotations

import random
import sqlite3
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from benchagent.formats import FormatError, parse
from benchagent.formats.fsperf.database import opened, table
from tests.agents.formats.test_crude import digits, found
from tests.agents.formats.texts import GOLDEN

DATABASE = GOLDEN / "databases" / "fsperf.db"
# A second reader: statements in the words of fsperf's own columns.
COLUMNS = [
    *((f"fio_results.{way}_bw_bytes", "throughput", 1.0) for way in ("read", "write")),
    *((f"fio_results.{way}_iops", "rate", 1.0) for way in ("read", "write")),
    *((f"fio_results.{way}_lat_ns_{kind}", f"latency_{kind}", 1e-9) for way in ("read", "write")
      for kind in ("min", "mean", "max")),
    *((f"fio_results.{way}_clat_ns_{kind}", f"latency_{kind}", 1e-9) for way in ("read", "write")
      for kind in ("mean", "p50", "p99")),
    ("dbench_results.throughput", "throughput", 1e6),
    *((f"dbench_results.{name}", "latency_max", 1e-3) for name in (
        "ntcreatex", "close", "rename", "unlink", "deltree", "mkdir", "qpathinfo", "qfileinfo", "qfsinfo", "sfileinfo",
        "find", "writex", "readx", "lockx", "unlockx", "flush",
    )),
    ("time_results.elapsed", "elapsed", 1.0),
    ("mount_timings.end_state_mount_ns", "elapsed", 1e-9),
    ("btrfs_commit_stats.avg_commit_ms", "latency_mean", 1e-3),
    ("btrfs_commit_stats.max_commit_ms", "latency_max", 1e-3),
]  # fmt: skip


def changed(tmp_path: Path, *statements: str) -> bytes:
    """The database after these statements."""
    path = tmp_path / "changed.db"
    path.write_bytes(DATABASE.read_bytes())
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)
    return path.read_bytes()


def test_both_find_the_same_numbers() -> None:
    told: Counter = Counter()
    with closing(sqlite3.connect(f"file:{DATABASE}?mode=ro", uri=True)) as connection:
        for place, metric, times in COLUMNS:
            table, column = place.split(".")
            for run, number in connection.execute(f"SELECT run_id, {column} FROM {table} WHERE {column} > 0"):
                told[run, metric, digits(number * times)] += 1
    assert sum(told.values()) > 300
    assert found(parse(DATABASE.read_bytes())) == told


def test_runs_with_the_same_settings_are_repetitions() -> None:
    parsed = parse(DATABASE.read_bytes())
    untar = {
        (result.params["config"], result.params["purpose"]): result.lines
        for result in parsed.results
        if result.params["benchmark"] == "shortuntar" and result.test == "run"
    }
    assert untar == {
        ("ext4", "continuous"): (10, 11, 12),
        ("btrfs", "continuous"): (22, 23, 24),
        ("ext4", "patched"): (27, 28),
    }
    assert parsed.parameters == {"kernel": "6.18.44-fc-v782", "machine": "vm"}
    assert "kernel" not in parsed.results[0].params


def test_a_direction_without_operations_has_no_result() -> None:
    parsed = parse(DATABASE.read_bytes())
    tests = {result.test for result in parsed.results if result.params["benchmark"] == "shortrandwrite"}
    assert tests == {"write", "mount", "commit"}
    latencies = {result.params.get("latency") for result in parsed.results if result.test == "write"}
    assert latencies == {None, "total", "completion"}  # in the words of fio's own reader
    deltree = [result for result in parsed.results if result.test == "deltree"]
    assert {result.status for result in deltree} == {"unmeasurable"}


def test_columns_that_are_not_read_are_listed() -> None:
    unread = [text for _, text in parse(DATABASE.read_bytes()).unread]
    assert unread[0].startswith("fio_results: read_io_bytes, elapsed, sys_cpu")
    assert "mount_timings: end_state_umount_ns" in unread
    assert not any(text.startswith("fragmentation") for text in unread)  # fsperf stored nothing but 0


def test_unknown_tables_are_listed(tmp_path: Path) -> None:
    parsed = parse(changed(tmp_path, "CREATE TABLE new_results (id INTEGER PRIMARY KEY, run_id INTEGER)"))
    assert (1, "the table new_results") in parsed.unread
    assert not any("alembic_version" in text or "sqlite_" in text for _, text in parsed.unread)


def test_several_jobs_of_a_run_are_told_apart(tmp_path: Path) -> None:
    copied = "INSERT INTO fio_results (run_id, write_iops, write_bw_bytes) SELECT run_id, 7, 8 FROM fio_results LIMIT 1"
    second = [result for result in parse(changed(tmp_path, copied)).results if result.params.get("row") == 2]
    assert {result.metric for result in second if result.status == "ok"} == {"rate", "throughput"}


def test_a_database_in_the_mode_of_a_write_ahead_log_is_read() -> None:
    data = DATABASE.read_bytes()
    assert parse(data[:18] + b"\x02\x02" + data[20:]).results == parse(data).results


@pytest.mark.parametrize(
    "view",
    [
        "WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id, id AS run_id FROM n",
        "SELECT 1 AS id, load_extension('x') AS run_id",
    ],
)
def test_a_view_in_place_of_a_table_is_never_run(tmp_path: Path, view: str) -> None:
    data = changed(tmp_path, "DROP TABLE io_stats", f"CREATE VIEW io_stats AS {view}")
    assert parse(data).results == parse(DATABASE.read_bytes()).results


def test_a_generated_column_is_never_computed(tmp_path: Path) -> None:
    """Selecting it would fail: SQLite has no text of so many bytes."""
    heavy = "length(hex(zeroblob(1000000000)))"
    data = changed(
        tmp_path,
        f"ALTER TABLE runs ADD COLUMN heavy GENERATED ALWAYS AS ({heavy}) VIRTUAL",
        f"ALTER TABLE fio_results ADD COLUMN heavy GENERATED ALWAYS AS ({heavy}) VIRTUAL",
    )
    assert parse(data).results == parse(DATABASE.read_bytes()).results


def test_names_of_columns_are_quoted(tmp_path: Path) -> None:
    name = 'a" FROM nothing --'
    data = changed(tmp_path, f"""ALTER TABLE io_stats ADD COLUMN "{name.replace('"', '""')}" DEFAULT 7""")
    assert any(name in text for _, text in parse(data).unread)


def test_long_texts_and_blobs_are_cut_or_left_out(tmp_path: Path) -> None:
    statements = ("UPDATE runs SET purpose = hex(zeroblob(5000))", "UPDATE fio_results SET read_iops = zeroblob(5000)")
    parsed = parse(changed(tmp_path, *statements))
    assert parsed.parameters["purpose"] == "0" * 200  # what a fact has at most
    assert not [result for result in parsed.results if result.test == "read" and result.metric == "rate"]


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("DELETE FROM runs", "no run of fsperf has a number"),
        pytest.param(
            "UPDATE runs SET purpose = hex(zeroblob(60000))",
            "the database is damaged or too large: string or blob too big",
            marks=pytest.mark.skipif(sys.version_info < (3, 11), reason="needs Connection.setlimit of Python 3.11"),
        ),
        ("UPDATE runs SET id = -5 WHERE id = 5", "a run has no number"),
        ("ALTER TABLE runs RENAME TO others", "this SQLite database is not of fsperf: it has no table of runs"),
    ],
)
@pytest.mark.parametrize("tool", [None, "fsperf"])
def test_other_databases_are_refused(tmp_path: Path, statement: str, words: str, tool: str | None) -> None:
    with pytest.raises(FormatError, match=words):
        parse(changed(tmp_path, statement), tool)


def test_damaged_databases_raise_nothing_but_format_errors() -> None:
    data = DATABASE.read_bytes()
    chance = random.Random(5)
    refused = 0
    for _ in range(300):
        damaged = bytearray(data[: chance.choice((len(data), chance.randrange(len(data))))])
        for _ in range(chance.randint(1, 30)):
            damaged[chance.randrange(16, len(damaged)) if len(damaged) > 16 else 0] = chance.randrange(256)
        try:
            parse(bytes(damaged), "fsperf")
        except FormatError:
            refused += 1
    assert refused > 10


def test_a_database_as_text_is_refused() -> None:
    with pytest.raises(FormatError, match=r"use the file fsperf-results\.db itself"):
        parse("SQLite format 3\ufffd", None)


def test_rows_are_not_sorted_on_the_disk(tmp_path: Path) -> None:
    """Rows can share one long text: 0.5 MB of them took 5.7 GB of temporary files."""
    statements: list[str] = []
    path = tmp_path / "unsorted.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(
            "CREATE TABLE runs (id INT, name); INSERT INTO runs VALUES (3, 'c'), (1, 'a'), (2, 'b')"
        )
    with opened(path.read_bytes()) as connection:
        connection.set_trace_callback(statements.append)
        rows = table(connection, "runs").rows
        plans = [row[3] for each in statements[:] for row in connection.execute(f"EXPLAIN QUERY PLAN {each}")]
    assert [row["id"] for row in rows] == [1, 2, 3]
    assert "SCAN runs" in plans
    assert not [plan for plan in plans if "TEMP B-TREE" in plan]
