"""vdbench's flat file: averages of storage and file workloads, runs without one, and damaged rows."""

from __future__ import annotations

import pytest

from benchagent.formats import FormatError, Parsed, parse
from benchagent.formats.model import FAILED, UNMEASURABLE
from tests.agents.formats.texts import golden

STORAGE, FILES = golden("vdbench-storage.html"), golden("vdbench-files.html")


def values(parsed: Parsed, job: str | None = None) -> dict[tuple[str, str], float | None]:
    """The first values by test and metric; the name of a run is a param where runs of one test differ in it."""
    return {
        (result.test, result.metric): result.values[0] for result in parsed.results if result.params.get("job") == job
    }


def test_storage_workloads_that_only_read_or_write() -> None:
    parsed = parse(STORAGE)
    assert parsed.unread == ()
    assert {name: value for name, value in values(parsed).items() if name[0] == "read"} == {
        ("read", "rate"): 5240,
        ("read", "throughput"): 327.5 * 2**20,
        ("read", "latency_mean"): 0.0007595,
        ("read", "latency_max"): 0.0084,
    }
    read = next(result for result in parsed.results if result.test == "read")
    assert (read.record_size, read.threads, read.params) == (65536, 4, {})


def test_a_size_that_is_not_that_of_all_transfers_is_left_out() -> None:
    [write] = {result.record_size for result in parse(STORAGE).results if result.test == "random_write"}
    assert write is None


def test_a_mix_has_its_shares_and_the_requested_rate() -> None:
    parsed = parse(STORAGE)
    mixed = values(parsed)
    assert mixed["mix", "rate"] == 2004
    assert (mixed["mix_read", "latency_mean"], mixed["mix_write", "latency_max"]) == (0.00118, 0.0202)
    params = next(result.params for result in parsed.results if result.test == "mix")
    assert params == {"rate": 2000, "read_percentage": 70, "seek_percentage": 100}


def test_workloads_on_files_have_each_operation_that_happened() -> None:
    parsed = parse(FILES)
    assert parsed.unread == ()
    found = values(parsed, "rd1")
    assert found["mix", "throughput"] == 8.2188 * 2**20
    assert (found["mix_read", "rate"], found["mix_write", "latency_mean"]) == (720.5, 0.0014273)
    assert (found["file_create", "rate"], found["stat", "latency_mean"]) == (12.5, 0.000021)
    assert {test for test, _ in found} == {"mix", "mix_read", "mix_write", "file_create", "open", "close"} | {
        "file_remove",
        "stat",
    }


def test_a_run_without_its_average_has_failed() -> None:
    parsed = parse(FILES)
    [ended] = [result for result in parsed.results if result.params.get("job") == "rd3"]
    assert (ended.status, parsed.complete) == (FAILED, False)
    assert "no average" in str(ended.error)


def test_nan_is_no_number() -> None:
    [rate] = [r for r in parse(FILES).results if r.params.get("job") == "rd2" and r.metric == "rate"]
    assert (rate.status, rate.error) == (UNMEASURABLE, "vdbench printed NaN")


def test_a_row_of_another_length_is_refused_with_its_line() -> None:
    with pytest.raises(FormatError, match="the row has 33 fields, not the 34") as refused:
        parse(STORAGE.replace(" 5240 327.5 ", " 5240 "))
    assert refused.value.line == 12


def test_a_head_without_rows_is_refused() -> None:
    with pytest.raises(FormatError, match="no average is there"):
        parse(STORAGE.split("09:00:01")[0])
