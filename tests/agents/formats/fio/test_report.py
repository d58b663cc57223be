"""fio's report for people, compared with the JSON that the same fio printed beside it, and cut or odd texts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.formats import FormatError, Parsed, parse
from benchagent.formats.fio.report_lines import latency, rates
from benchagent.formats.fio.report_lines import size as record_size_of
from benchagent.formats.model import Result
from tests.agents.formats.fio.test_reader import only
from tests.agents.formats.texts import golden

VERSIONS = ("2.14", "3.1", "3.41")
MIXED_GROUP = "pair_a"  # fio reports two different jobs under this name, and its JSON has the options of one of them
Key = tuple[object, ...]
JOB = "a: (groupid=0, jobs=1): err= 0: pid=7: Thu Nov 26 04:56:09 2026\n"
RATES = "  read: IOPS=22.4k, BW=87.6MiB/s (91.9MB/s)(876MiB/10001msec)\n"
STATUS = "\nRun status group 0 (all jobs):\n   READ: bw=87.6MiB/s (91.9MB/s)\n"


def halves(version: str) -> tuple[str, str]:
    """What fio printed as JSON, and everything else."""
    text = golden(f"fio-report_and_json-{version}.txt")
    start, end = re.search(r"^\{$", text, re.M), re.search(r"^\}$", text, re.M)
    assert start is not None
    assert end is not None
    return text[start.start() : end.end()], text[: start.start()] + text[end.end() :]


def by_key(parsed: Parsed) -> dict[Key, Result]:
    """Results by what both forms print: without the options of the JSON and the totals of the report."""
    names = ("job", "process", "latency", "view", "percentile", "cpu")
    return {
        (r.test, r.metric, r.record_size, r.threads, *(r.params.get(name) for name in names)): r
        for r in parsed.results
        if r.params.get("job") != MIXED_GROUP and r.params.get("view") != "total"
    }


@pytest.mark.parametrize("version", VERSIONS)
def test_it_is_the_json_in_rounded_numbers(version: str) -> None:
    text_json, text_report = halves(version)
    of_json, of_report = parse(text_json), parse(text_report)
    exact, rounded = by_key(of_json), by_key(of_report)
    measured = {key for key, result in exact.items() if any(value is not None for value in result.values)}
    assert len(measured) > 100
    assert measured == {key for key, result in rounded.items() if any(value is not None for value in result.values)}
    for key in measured:
        (printed,), (true,) = rounded[key].values, exact[key].values
        assert printed is not None
        assert true is not None
        # Four digits; latencies are whole or have two decimals of their line's unit, rates are cut to whole numbers.
        unit = 1e-6 if rounded[key].metric.startswith("latency") else 1.0
        assert printed == pytest.approx(true, rel=0.003, abs=unit), key
    assert (of_report.tool_version, of_report.complete) == (version, True)
    assert (of_report.warnings, of_report.unread) == ((), ())


@pytest.mark.parametrize("version", VERSIONS)
def test_a_group_of_different_jobs_has_what_all_of_them_share(version: str) -> None:
    parsed = parse(halves(version)[1])
    (read,) = (r for r in parsed.results if (r.params.get("job"), r.metric, r.test) == (MIXED_GROUP, "rate", "read"))
    assert (read.threads, read.record_size, read.params["rw"]) == (2, 16384, "unknown")


def test_a_failed_job_keeps_its_measurements_and_has_the_words_of_fio() -> None:
    parsed = parse(golden("fio-report_no_space.txt"))
    assert not parsed.complete
    assert any("No space left on device" in warning for warning in parsed.warnings)
    assert only(parsed, "write", "rate").values == (24500.0,)


def test_lines_are_those_of_the_text() -> None:
    parsed = parse("before\n" + JOB + RATES + STATUS)
    assert only(parsed, "read", "throughput").lines == (3,)
    assert [text for _, text in parsed.unread] == ["before"]


def test_without_the_first_lines_of_fio_the_pattern_is_unknown() -> None:
    result = only(parse(JOB + RATES), "read", "throughput")
    assert result.params["rw"] == "unknown"
    assert (result.record_size, result.threads, result.values) == (None, 1, (87.6 * 2**20,))


def test_a_second_start_is_a_second_value_and_a_clone_a_second_process() -> None:
    again = parse(JOB + RATES + STATUS + JOB.replace("pid=7", "pid=8") + RATES + STATUS)
    assert only(again, "read", "rate").values == (22400.0, 22400.0)
    clones = parse(JOB + RATES + JOB.replace("pid=7", "pid=8") + RATES + STATUS)
    assert {(r.params["process"], r.threads) for r in clones.results} == {(1, 2), (2, 2)}


def test_of_reports_while_it_runs_the_last_counts() -> None:
    text = JOB + RATES + STATUS + JOB + RATES.replace("22.4k", "30.0k") + STATUS
    assert only(parse(text), "read", "rate").values == (30000.0,)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("io=2048.0MB, bw=520126KB/s, iops=507, runt=  4032msec", [520126 * 1024, 507, 4.032]),
        ("io=4096.0MB, bw=40960Kbit/s, iops=12.3K, runt=  10msec", [40960 * 128, 12300, 0.01]),
        ("IOPS=507, BW=508MiB/s (533MB/s)(2048MiB/4032msec)", [508 * 2**20, 507, 4.032]),
        ("IOPS=1.20M, BW=4697MiB/s (4926MB/s)(27.5GiB/6000msec); 0 zone resets", [4697 * 2**20, 1.2e6, 6]),
        ("IOPS=507, BW=533MB/s (508MiB/s)(2147MB/4032msec)", [533e6, 507, 4.032]),
        ("IOPS=507, BW=4262Mibit/s (4469Mbit/s)(2048MiB/4032msec)", [4262 * 2**17, 507, 4.032]),
        ("IOPS=1, BW=4096B/s (4096B/s)(4096B/1000msec)", [4096, 1, 1]),
    ],
)
def test_units_of_all_versions(line: str, expected: list[float]) -> None:
    values, _ = rates(line, 1)
    assert [value.value for value in values] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("printed", "expected"),
    [(("4096", "", ""), 4096), (("64.0", "K", "i"), 65536), (("4", "K", ""), 4096), (("68.4", "K", "i"), None)],
)
def test_record_sizes(printed: tuple[str, str, str], expected: int | None) -> None:
    assert record_size_of(*printed) == expected


@given(st.sampled_from("num"), st.integers(1, 10**6), st.decimals(0, 10**5, places=2))
def test_latencies_have_the_unit_of_their_line(letter: str, most: int, mean: object) -> None:
    line = f"    clat ({letter}sec): min=    1, max={most}k, avg={mean}, stdev= 5.07"
    found = {(each.metric, each.params.get("view")): each.value for each in latency(line, 1)}
    unit = {"n": 1e-9, "u": 1e-6, "m": 1e-3}[letter]
    assert found["latency_max", None] == pytest.approx(most * 1000 * unit)
    assert (found["latency_mean", None] or 0) == pytest.approx(float(str(mean)) * unit)


def test_a_report_that_is_cut_before_the_first_number() -> None:
    with pytest.raises(FormatError, match="no finished job"):
        parse("a: (g=0): rw=read, bs=4K-4K/4K-4K/4K-4K, ioengine=sync, iodepth=1\nfio-2.1.11\nStarting 1 process\n")
