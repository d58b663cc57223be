"""fs_mark's table: iterations, settings, times of system calls, and quoted tables."""

import pytest

from benchagent.formats import FormatError, parse
from tests.agents.formats.texts import golden


def test_iterations_are_values_and_settings_are_params() -> None:
    parsed = parse(golden("fs_mark-runs.txt"))
    iterations = parsed.results[0]
    assert (iterations.test, len(iterations.values)) == ("create", 3)
    assert (iterations.file_size, iterations.record_size, iterations.threads) == (4096, 16384, 2)
    assert iterations.params == {"files": 200, "sync_method": "inband fsync"}
    assert (parsed.tool_version, parsed.complete, parsed.unread) == ("3.3", True, ())


def test_empty_files_in_directories() -> None:
    last = parse(golden("fs_mark-runs.txt")).results[-1]
    assert last.file_size is None
    assert last.params == {
        "files": 100,
        "files_per_directory": 25,
        "directories": 4,
        "directory_order": "round robin",
        "keep": True,
        "empty_files": True,
        "sync_method": "post",
    }


def test_system_calls_that_were_not_made_have_no_result() -> None:
    tests = {result.test for result in parse(golden("fs_mark-runs.txt")).results}
    assert tests == {"create", *(f"system_call_{name}" for name in ("creat", "write", "close", "unlink"))}


TABLE = """FSUse%        Count         Size    Files/sec     App Overhead
     0        10000         4096        507.5           184435
     0        20000         4096        527.2           184815
"""


def test_tables_below_headings_are_no_repetitions() -> None:
    parsed = parse(f"Before this change:\n\n{TABLE}\nAfter this change:\n\n{TABLE}")
    sections = {result.params["section"]: result.values for result in parsed.results}
    assert sections == {"Before this change": (507.5, 527.2), "After this change": (507.5, 527.2)}


def test_what_follows_the_table_is_named() -> None:
    parsed = parse(TABLE + "\nreal    1m11.633s\nuser    0m46.156s\nsys     3m24.543s\n")
    assert "there is output of time too: read that with --tool time" in parsed.warnings


def test_a_table_without_rows_is_refused() -> None:
    with pytest.raises(FormatError, match="no iteration is there"):
        parse(TABLE.split("\n")[0])
