from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest

from benchagent.formats import FormatError, Parsed, parse
from benchagent.formats.fio.options import file_size, parameters, pattern, record_size, rw_param, threads
from benchagent.formats.fio.options import test_of as named
from benchagent.formats.model import FAILED, UNMEASURABLE, Result
from benchagent.formats.reading.located_json import Leaf, read_object
from tests.agents.formats.texts import golden

READ: dict[str, Any] = {
    "io_bytes": 8192000,
    "io_kbytes": 8000,
    "bw_bytes": 8192000,
    "bw": 8000,
    "iops": 2000.5,
    "runtime": 1000,
}
READ |= {"total_ios": 2000, "clat_ns": {"min": 100, "max": 9000, "mean": 1500.25, "stddev": 2.5, "N": 2000}}
OPTIONS = {"rw": "randread", "bs": "4k", "size": "64M", "iodepth": "8"}


def job(name: str = "a", options: Mapping[str, str] | None = OPTIONS, **parts: Any) -> dict[str, Any]:
    told = {} if options is None else {"job options": dict(options)}
    return {"jobname": name, "groupid": 0, "error": 0, **told, "read": READ, **parts}


def document(*jobs: Mapping[str, Any], version: str = "fio-3.33", **more: Any) -> str:
    return json.dumps({"fio version": version, **more, "jobs": list(jobs)}, indent=2)


def only(parsed: Parsed, test: str, metric: str, **params: object) -> Result:
    [match] = [
        result
        for result in parsed.results
        if (result.test, result.metric, "view" in result.params) == (test, metric, "view" in params)
        and params.items() <= result.params.items()
    ]
    return match


def values(text: str, test: str, metric: str, **params: object) -> tuple[float | None, ...]:
    return only(parse(text), test, metric, **params).values


@pytest.mark.parametrize(("attained", "expected"), [(1, 1.0), (0, None)])
def test_the_time_until_fio_found_a_job_steady_is_a_result(attained: int, expected: float | None) -> None:
    section = {"ss": "iops:5.000000%", "duration": 8, "attained": attained, "data": {"iops": [2000, 2001]}}
    options = {**OPTIONS, "steadystate": "iops:5%"}
    parsed = parse(document(job(options=options, steadystate=section)))
    found = only(parsed, "steady_state", "elapsed")
    assert (found.values, found.unit, found.file_size) == ((expected,), "s", 64 * 1024**2)
    assert found.params.items() >= {"during": "random_read", "steadystate": "iops:5%"}.items()
    assert found.error == (None if expected else "not steady in this time")
    assert not parsed.unread


def test_a_real_run_in_base_units() -> None:
    parsed = parse(golden("fio-randread.json"))
    assert (parsed.tool, parsed.tool_version, parsed.complete) == ("fio", "3.33", True)
    result = only(parsed, "random_read", "throughput", process=1)
    assert (result.values, result.unit, result.lines) == ((110619297.0,), "B/s", (25,))
    assert (result.file_size, result.record_size, result.threads) == (64 * 1024**2, 4096, 2)
    assert result.evidence == {"logical_bytes": 331968512}
    assert only(parsed, "random_read", "throughput", process=2).values == (110809015.0,)
    assert only(parsed, "random_read", "elapsed", process=1).values == (3.001,)
    assert parsed.parameters == {"seconds": 3}
    assert (parsed.warnings, parsed.unread, parsed.clock_resolution) == ((), (), 0.001)


def test_latencies_say_what_they_are_of() -> None:
    text = document(job())
    latencies = {
        (result.metric, result.params.get("view")): result.values
        for result in parse(text).results
        if result.params.get("latency") == "completion"
    }
    assert latencies == {
        ("latency_min", None): (1e-7,),
        ("latency_mean", None): (1.50025e-6,),
        ("latency_max", None): (9e-6,),
        ("latency_mean", "sd"): (2.5e-9,),
    }


def test_percentiles_have_their_metrics_or_say_which_they_are() -> None:
    percentile = {"0.00": 7, "50.000000": 1000, "99.900000": 2000, "99.99": 3000, "12.500000": 500}
    text = document(
        job(read={**READ, "clat_ns": {"min": 1, "max": 9, "mean": 5, "N": 10**5, "percentile": percentile}})
    )
    assert values(text, "random_read", "latency_p50") == (1e-6,)
    assert values(text, "random_read", "latency_p999") == (2e-6,)
    assert values(text, "random_read", "latency_p9999") == (3e-6,)
    other = only(parse(text), "random_read", "latency_percentile")
    assert (other.values, other.params["percentile"]) == ((5e-7,), 12.5)
    few = {**READ, "total_ios": 10**4, "clat_ns": {"min": 1, "max": 9, "mean": 5, "percentile": percentile}}
    metrics = {result.metric for result in parse(document(job(read=few))).results}
    assert "latency_p999" in metrics
    assert "latency_p9999" not in metrics


def test_fio_2_prints_kib_and_microseconds() -> None:
    old = {"io_bytes": 361984, "bw": 68118, "iops": 133, "runtime": 5314, "clat": {"min": 10, "max": 30, "mean": 20.5}}
    parsed = parse(document({"jobname": "old", "groupid": 0, "error": 0, "write": old}, version="fio-2.1.4"))
    throughput = only(parsed, "write", "throughput")
    assert (throughput.values, throughput.evidence) == ((68118 * 1024.0,), {"logical_bytes": 361984 * 1024})
    assert only(parsed, "write", "latency_max").values == (3e-5,)
    assert throughput.params["rw"] == "unknown", "the text does not say whether it was random"
    assert (throughput.record_size, throughput.threads) == (None, None)


def test_a_mixed_job_says_so_in_both_of_its_directions() -> None:
    parsed = parse(golden("fio-json_plus.json"))
    read, write = only(parsed, "random_read", "rate"), only(parsed, "random_write", "rate")
    assert (read.values, write.values) == ((109000.0,), (49000.0,))
    assert read.params == write.params == {"rw": "randrw", "rwmixread": 70, "fsync": 16}
    assert (read.record_size, write.record_size) == (4096, 8192)
    assert {r.test for r in parsed.results if r.metric == "cpu_of_one_core"} == {"mixed"}
    assert any(result.test == "sync" for result in parsed.results)


def test_the_same_job_again_is_a_second_value() -> None:
    result = only(parse(golden("fio-two_runs.json")), "random_read", "throughput")
    assert (result.values, result.lines) == ((986895058.0, 1525201454.0), (24, 280))


def test_a_number_that_one_of_two_runs_lacks_keeps_its_place() -> None:
    with_latency, without = document(job()), document(job(read={**READ, "clat_ns": {"max": 0, "N": 0}}))
    assert values(without + "\n" + with_latency, "random_read", "latency_max") == (None, 9e-6)


def test_runs_told_differently_never_merge() -> None:
    parsed = parse(golden("fio-two_depths.json"))
    assert [only(parsed, "random_read", "elapsed", depth=depth).values for depth in (1, 8)] == [(0.003,), (0.003,)]
    assert parsed.parameters == {"engine": "libaio"}


def test_jobs_are_told_apart_by_name_and_group_reporting_by_threads() -> None:
    parsed = parse(golden("fio-groups.json"))
    assert only(parsed, "write", "throughput", job="seq").threads == 1
    random = only(parsed, "random_write", "throughput", job="rnd")
    assert (random.values, random.threads, random.record_size) == ((6291456000.0,), 3, 16384)
    assert parsed.unread == (), "the report for people below the JSON repeats it"


def test_a_job_that_failed_keeps_what_it_measured() -> None:
    parsed = parse(golden("fio-no_space.json"))
    assert only(parsed, "write", "throughput", job="a").values == (1048576000.0,)
    assert not parsed.complete
    assert "No space left on device" in parsed.warnings[0]


def test_a_job_that_failed_before_it_measured_has_fio_s_own_words() -> None:
    words = "fio: pid=0, err=22/file:filesetup.c:1155, func=total_file_size, error=Invalid argument"
    text = words + "\n" + document(job(error=22, read={"total_ios": 0}, usr_cpu=0.0))
    [result] = parse(text).results
    assert (result.status, result.error, result.values, result.test) == (FAILED, words, (None,), "random_read")


def test_a_direction_in_which_nothing_happened_is_unmeasurable() -> None:
    [result] = parse(document(job(read={"total_ios": 0, "bw": 0}))).results
    assert (result.status, result.error) == (UNMEASURABLE, "fio printed no work in this direction")


def test_interrupted() -> None:
    parsed = parse(golden("fio-interrupted.json"))
    assert not parsed.complete
    assert parsed.warnings == ("line 2: fio: terminating on signal 2",)
    assert only(parsed, "write", "elapsed").values == (1.576,)


def test_what_is_cut_off_is_read_as_far_as_it_is_whole() -> None:
    text = document(job("first"), job("second"), job("third"))
    parsed = parse(text[: text.index('"third"') + 200])
    assert {result.params["job"] for result in parsed.results} == {"first", "second"}
    assert not parsed.complete
    with pytest.raises(FormatError, match="no whole job"):
        parse(text[: text.index('"first"') + 30])


def test_clients_have_their_hosts_and_a_sum() -> None:
    clients = [job("j", hostname=host, port=8765) for host in ("one", "two")]
    total = job("All clients", None, hostname="two")
    text = json.dumps({"fio version": "fio-3.7", "client_stats": [*clients, total]}, indent=2)
    parsed = parse("hostname=one, be=0, 64-bit, os=Linux, arch=x86-64, fio=fio-3.7, flags=1\n" + text)
    assert (
        only(parsed, "random_read", "rate", host="one").lines != only(parsed, "random_read", "rate", host="two").lines
    )
    assert only(parsed, "random_read", "rate", job="All clients").record_size == 4096
    assert parsed.unread == ()


def test_keys_in_another_order_on_one_line_and_windows_ends() -> None:
    loaded = json.loads(document(job()))
    expected = {(result.metric, str(result.params)): result.values for result in parse(document(job())).results}
    for text in (
        json.dumps(loaded, sort_keys=True),
        json.dumps(loaded, sort_keys=True, indent=4),
        document(job()).replace("\n", "\r\n"),
        "[" + document(job()) + "]",
    ):
        assert {(result.metric, str(result.params)): result.values for result in parse(text).results} == expected


def test_what_is_no_json_but_fio_writes_it() -> None:
    text = document(job(usr_cpu="NAN", options={**OPTIONS, "filename": "C@:@data"}))
    text = text.replace('"NAN"', "-nan").replace("@", "\\")
    parsed = parse(text)
    assert only(parsed, "random_read", "rate").values == (2000.5,)
    assert not [result for result in parsed.results if result.metric == "cpu_of_one_core"]


def test_what_this_reader_has_never_seen_is_unread() -> None:
    text = document(job(read={**READ, "new_thing": 5}))
    assert [words for _, words in parse(text).unread] == ['"new_thing" of fio']
    [(line, _)] = parse("mount: no such device\n" + document(job())).unread
    assert line == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3;fio-3.33;a;0;0;1024;1000000;250000;1;0;0;0.0", "line 1, column 1: fio's terse line is cut"),
        ("note\na: (g=0): rw=read, bs=4K-4K/4K-4K, ioengine=sync, iodepth=1\n", "line 2.* no finished job"),
        ('"fio version" is a key', "no output of fio"),
        ('{"fio version" : "fio-3.1", "jobs" : []}', "no whole job"),
    ],
)
def test_what_is_refused_is_named(text: str, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        parse(text, tool="fio")


def test_a_fault_in_the_json_says_line_and_column() -> None:
    text = document(job()).replace('"iops": 2000.5', '"iops": : 2000.5')
    line = next(number for number, each in enumerate(text.split("\n"), start=1) if '"iops"' in each)
    column = text.split("\n")[line - 1].index(": :") + 3
    with pytest.raises(FormatError, match=re.escape(f"line {line}, column {column}: ':' has no place in JSON here")):
        parse(text)


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(FormatError, match="has no place"):
        parse('{"fio version": ' + "[" * 100_000)


def test_a_number_that_no_clock_prints_is_no_value() -> None:
    result = only(parse(document(job()).replace("2000.5", "9" * 30)), "random_read", "rate")
    assert (result.values, result.status) == ((None,), UNMEASURABLE)


def test_the_reader_of_json_gives_lines() -> None:
    text = 'x\n{"a" : 1,\n "b" : [ "t\\"u", null ] } rest'
    found = read_object(text, 2, 2)
    assert found.root == {"a": Leaf("1", 2), "b": [Leaf('t"u', 3), Leaf("null", 3)]}
    assert (text[found.end :], found.whole) == (" rest", True)


@pytest.mark.parametrize(
    ("said", "size"),
    [
        ("4k", 4096),
        ("4K", 4096),
        ("4kb", 4096),
        ("4ki", 4096),
        ("4kib", 4000),
        ("128k,8k", 131072),
        ("1M", 2**20),
        ("512", 512),
    ],
)
def test_block_sizes_as_fio_means_them(said: str, size: int) -> None:
    assert record_size({"bs": said}, "read") == size


def test_options_in_our_words() -> None:
    assert record_size({"bs": "4k"} | {"kb_base": "1000"}, "read") == 4000
    assert record_size({"bs": "8k,4k"}, "write") == 4096
    assert record_size({"ioengine": "sync"}, "read") == 4096, "fio's default"
    assert record_size({"bssplit": "4k/50:8k/50"}, "read") is None
    assert record_size({}, "read") is None
    assert file_size({"size": "1G", "nrfiles": "4"}) == 2**28
    assert file_size({"size": "50%"}) is None
    assert file_size({"size": "1G", "filename": "a:b"}) is None
    assert file_size({"size": "1G", "filesize": "1M"}) == 2**20
    assert (threads({"numjobs": "4"}), threads({"bs": "4k"}), threads({})) == (4, 1, None)
    assert parameters({"runtime": "5m", "direct": "1", "time_based": "", "filename": "x", "iodepth": "01"}) == {
        "seconds": 300,
        "direct": True,
        "time_based": True,
        "depth": 1,
    }
    rates = {"ioengine": "io_uring", "rate_iops": "2000", "rate_process": "poisson", "rate": "64k"}
    assert parameters(rates) == {
        "engine": "io_uring",
        "rate": 2000,
        "arrivals": "poisson",
        "bytes_per_second": 65536,
    }
    assert parameters({"rate_iops": "20,5", "rate": "1m,2m"}) == {"rate": "20,5", "bytes_per_second": "1m,2m"}


@pytest.mark.parametrize(
    ("options", "test", "params"),
    [
        ({"rw": "read"}, "read", {}),
        ({"readwrite": "randread"}, "random_read", {}),
        ({"bs": "4k"}, "read", {}),
        ({"rw": "randrw", "rwmixread": "70"}, "random_read", {"rw": "randrw", "rwmixread": 70}),
        ({"rw": "read:4k"}, "read", {"rw": "read:4k"}),
        ({}, "read", {"rw": "unknown"}),
    ],
)
def test_patterns(options: dict[str, str], test: str, params: dict[str, object]) -> None:
    assert named("read", pattern(options)) == test
    assert rw_param(options, pattern(options)) == params


def test_keys_of_the_newest_versions_are_known() -> None:
    newer = {"latency_target_ns": 0, "latency_window_us": 0, "total_err": 3, "first_error": 5}
    assert parse(document(job(**newer), version="fio-3.42")).unread == ()


def test_options_of_a_client_that_are_not_printed_are_not_guessed() -> None:
    """Old servers print only the global options; then block sizes and the number of jobs are unknown."""
    client = {"jobname": "a", "groupid": 0, "error": 0, "mixed": READ, "hostname": "h", "port": 8765}
    shared = {"unified_rw_reporting": "1"}
    text = json.dumps({"fio version": "fio-2.6", "global options": shared, "client_stats": [client]}, indent=2)
    assert {(result.record_size, result.threads) for result in parse(text).results} == {(None, None)}
    text = text.replace('"unified_rw_reporting": "1"', '"rw": "randrw"')
    assert {(result.record_size, result.threads) for result in parse(text).results} == {(4096, 1)}
