"""Parquet, read back by DuckDB and compared with CSV."""

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import duckdb
import pytest
from django.contrib.auth.models import User

from benchdb.compare.content import Content
from benchdb.exports.formats import FORMATS, parquet
from benchdb.exports.origin import Origin
from benchdb.exports.text.lines import SHAPES
from benchdb.wording.formulas import defused
from tests.support.comparing.exported import (
    ADDRESS,
    HOSTILE,
    KINDS,
    Kind,
    a_table,
    a_table_with_failures,
    saying,
)


def lines_of(content: Content, shape: str, folder: Path) -> tuple[list[tuple[str, str]], list[tuple[Any, ...]]]:
    """Names and types of the columns, and the lines."""
    origin = Origin(ADDRESS, frozen=True, shape=shape)
    file = folder / "table.parquet"
    file.write_bytes(FORMATS["parquet"].export(content, origin))
    assert file.read_bytes() == parquet.export(content, origin)
    found = duckdb.sql(f"SELECT * FROM '{file}'")
    return list(zip(found.columns, map(str, found.types), strict=True)), found.fetchall()


def equal_to_csv(content: Content, shape: str, folder: Path) -> None:
    columns, lines = lines_of(content, shape, folder)
    text = "".join(FORMATS["csv"].export(content, Origin(ADDRESS, frozen=True, shape=shape)))
    [heads, *rows] = csv.reader(StringIO(text, newline=""))
    assert [name for name, _ in columns] == heads
    assert len(rows) == len(lines) > 0
    for row, line in zip(rows, lines, strict=True):
        for (name, kind), in_csv, value in zip(columns, row, line, strict=True):
            if kind in ("DOUBLE", "BIGINT") and value is not None:
                assert float(in_csv) == value, name
            else:
                assert in_csv == defused(value or ""), name


@pytest.mark.parametrize("kind", KINDS)
def test_its_lines_are_those_of_csv(owner: User, tmp_path: Path, kind: Kind) -> None:
    content = kind(owner)
    for shape in SHAPES:
        equal_to_csv(content, shape, tmp_path)


def test_columns_have_types(owner: User, tmp_path: Path) -> None:
    columns, _ = lines_of(a_table_with_failures(owner), "cells", tmp_path)
    types = dict(columns)
    assert {types[name] for name in ("n", "file_size", "record_size", "threads", "statistics_version")} == {"BIGINT"}
    assert {types[name] for name in ("mean", "sd", "interval_low", "ratio_high", "p_adjusted", "level")} == {"DOUBLE"}
    assert {types[name] for name in ("row", "column", "unit", "status", "error", "verdict", "runs")} == {"VARCHAR"}
    wide = dict(lines_of(a_table(owner), "wide", tmp_path)[0])
    assert [(name, kind) for name, kind in wide.items() if name.startswith("Write ")] == [
        ("Write mean (MiB/s)", "DOUBLE"),
        ("Write sd (MiB/s)", "DOUBLE"),
        ("Write n", "BIGINT"),
        ("Write ratio", "DOUBLE"),
        ("Write verdict", "VARCHAR"),
        ("Write marks", "VARCHAR"),
    ]


def test_it_names_its_origin(owner: User, tmp_path: Path) -> None:
    lines_of(a_table(owner), "cells", tmp_path)
    metadata = duckdb.sql(f"SELECT key, value FROM parquet_kv_metadata('{tmp_path}/table.parquet')").fetchall()
    facts = json.loads(dict(metadata)[b"benchdb"])
    assert facts["address"] == ADDRESS
    assert facts["origin"].startswith("Frozen")


def test_hostile_words_stay_words(owner: User, tmp_path: Path) -> None:
    content = a_table(owner)
    for words in HOSTILE:
        _, lines = lines_of(saying(content, words), "cells", tmp_path)
        assert words in {line[1] for line in lines}
