from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from benchagent.formats import FormatError, ToolSeries, parse
from benchagent.formats.packing.histogram import packed_histogram
from tests.agents.formats.texts import golden
from tests.support.in_step import in_step

RESULT = {
    "type": "result",
    "repetition": 0,
    "test": "write",
    "file_size": 1048576,
    "record_size": 4096,
    "threads": 1,
    "status": "ok",
    "operations": 256,
    "bytes": 1048576,
    "elapsed_ns": 2_000_000_000,
    "cpu_ns": 1_000_000_000,
    "user_ns": 250_000_000,
    "system_ns": 750_000_000,
    "latency_ns": {"mean": 1000, "p50": 900, "p90": 1900, "p99": 5000, "p999": 6000, "max": 7000},
}
HEADER = {"type": "header", "schema": "fsload/1", "version": "0.1.0", "command": ["fsload", "--directory", "a b"]}
END = {"type": "end", "results": 1, "failed": 0, "signal": None}
FAILED = {
    "status": "failed",
    "error": {"call": "write", "errno": 28, "message": "No space left on device", "file": "data.0", "offset": 8192},
}


# Version 0.2.0 adds a command, the machine's processors, and the bytes that the device moved.
HEADER_2 = {**HEADER, "schema": "fsload/2", "version": "0.2.0", "cpus": 4}
DEVICE = {"device_read_bytes": 4096, "device_write_bytes": 2097152}
CREATE = {
    **{key: value for key, value in RESULT.items() if key not in ("file_size", "record_size")},
    "test": "file_create",
    "operations": 500,
    "bytes": 0,
    "device_read_bytes": None,
    "device_write_bytes": None,
}
# One kind of operation among several, without its own CPU time.
KIND = {key: value for key, value in CREATE.items() if not key.startswith(("cpu", "user", "system", "device"))}


def lines(*records: dict[str, object], header: Mapping[str, object] = HEADER) -> str:
    return "".join(json.dumps(record) + "\n" for record in (header, *records, END))


def metrics(text: str) -> dict[str, tuple[float | None, ...]]:
    return {result.metric: result.values for result in parse(text).results}


def test_a_result_in_base_units() -> None:
    parsed = parse(lines(RESULT))
    assert (parsed.tool, parsed.tool_version, parsed.warnings) == ("fsload", "0.1.0", ())
    assert parsed.command == "fsload --directory 'a b'"
    assert {result.metric: result.values for result in parsed.results} == {
        "throughput": (524288.0,),
        "elapsed": (2.0,),
        "cpu_of_one_core": (0.5,),
        "user_time": (0.25,),
        "system_time": (0.75,),
        "latency_mean": (1e-6,),
        "latency_p50": (9e-7,),
        "latency_p90": (1.9e-6,),
        "latency_max": (7e-6,),
    }
    assert {(r.test, r.file_size, r.record_size, r.threads, r.lines) for r in parsed.results} == {
        ("write", 1048576, 4096, 1, (2,))
    }


def test_a_distribution_belongs_to_the_mean_of_its_repetition() -> None:
    packed = packed_histogram({1000: 3})
    with_histogram = {**RESULT, "latency_ns": {**RESULT["latency_ns"], "p9999": 6500, "histogram": packed}}
    results = {result.metric: result for result in parse(lines(RESULT, with_histogram)).results}
    assert results["latency_mean"].histograms == (None, packed)
    assert not any(result.histograms for metric, result in results.items() if metric != "latency_mean")


def test_the_work_over_time_has_the_name_of_its_test() -> None:
    series = {"start_ns": 5_000_000_000, "step_ns": 100_000_000, "steps": [[3, 12288, 900], [0, 0, 0]]}
    parsed = parse(lines({**RESULT, "series": series}, RESULT))
    assert parsed.series == (ToolSeries("write", 5.0, 0.1, (3, 0), (12288, 0), (900, 0)),)
    model = {**CREATE, "test": "wml", "series": series}
    header = {**HEADER_2, "parameters": {"command": "wml", "seconds": 2}}
    assert [each.test for each in parse(lines(model, header=header)).series] == ["flowops"]


def test_the_time_until_the_rate_was_steady_is_a_result() -> None:
    steady, never = ({**CREATE, "test": "wml", "steady_state_ns": each} for each in (8_000_000_000, None))
    header = {**HEADER_2, "parameters": {"command": "wml", "seconds": 60, "steady_state": True}}
    (found,) = [each for each in parse(lines(steady, never, header=header)).results if each.test == "steady_state"]
    assert (found.metric, found.unit, found.values, found.status) == ("elapsed", "s", (8.0, None), "ok")
    assert found.error == "not steady in this time"
    assert found.params.items() >= {"during": "flowops", "seconds": 60, "steady_state": True}.items()
    assert not [each for each in parse(lines(CREATE, header=HEADER_2)).results if each.test == "steady_state"]


@pytest.mark.parametrize(
    "faulty",
    [
        "steps",
        {"steps": "3"},
        {"steps": [[3, 4]]},
        {"steps": [[3, 4, -1]]},
        {"steps": [[3, 4, 0.5]]},
        {"steps": []},
        {"steps": [[1, 1, 1]] * 601},
        {"step_ns": 0},
        {"start_ns": -5},
    ],
)
def test_a_faulty_series_is_refused_with_its_line(faulty: object) -> None:
    whole = {"start_ns": 5, "step_ns": 9, "steps": [[3, 4, 5]]}
    series = {**whole, **faulty} if isinstance(faulty, dict) else faulty
    with pytest.raises(FormatError) as refused:
        parse(lines({**RESULT, "series": series}))
    assert refused.value.line == 2


def test_the_slowest_of_few_operations_is_no_percentile_of_many() -> None:
    latencies = {**RESULT["latency_ns"], "p9999": 6500}
    few, many = (lines({**RESULT, "operations": count, "latency_ns": latencies}) for count in (9_999, 100_000))
    assert metrics(many).keys() - metrics(few).keys() == {"latency_p999", "latency_p9999"}


@pytest.mark.parametrize("damaged", [5, "", "HISTFAAA", ["HISTEw"], "HISTEw" + 200_000 * "A"])
def test_a_distribution_in_another_format_is_refused_with_its_line(damaged: object) -> None:
    with pytest.raises(FormatError, match=r"line 2.*HdrHistogram"):
        parse(lines({**RESULT, "latency_ns": {**RESULT["latency_ns"], "histogram": damaged}}))


@pytest.mark.parametrize("name", ["fsload-three_repetitions.jsonl", "fsload-threads.jsonl"])
def test_every_line_of_a_real_run_is_a_value(name: str) -> None:
    """The second reader divides the numbers in the line."""
    text = golden(name)
    records = [(number, json.loads(line)) for number, line in enumerate(text.splitlines(), start=1)]
    expected = {
        number: record["bytes"] / (record["elapsed_ns"] / 1e9) for number, record in records if "bytes" in record
    }
    actual = {
        line: value
        for result in parse(text).results
        if result.metric == "throughput"
        for line, value in in_step(result.lines, result.values)
    }
    assert len(expected) == len(records) - 2
    assert actual == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", ["mix", "wml", "age", "tree", "direct", "interactive", "no_latencies"])
def test_every_operation_of_a_real_run_is_counted(name: str) -> None:
    """The second reader divides the numbers in the line, for every command."""
    text = golden(f"fsload-{name}.jsonl")
    parsed = parse(text)
    actual = {
        (metric, line): value
        for metric in ("rate", "throughput")
        for result in parsed.results
        if result.metric == metric
        for line, value in in_step(result.lines, result.values)
    }
    expected = {}
    for number, line in enumerate(text.splitlines(), start=1):
        record = json.loads(line)
        if record.get("test", "").startswith("interactive_"):
            continue
        if record.get("bytes") and record["type"] == "result":
            expected["throughput", number] = pytest.approx(record["bytes"] / (record["elapsed_ns"] / 1e9))
        if record["type"] == "result" and not ("file_size" in record and "cpu_ns" in record):
            rate = record["operations"] / (record["elapsed_ns"] / 1e9)
            expected["rate", number] = pytest.approx(rate) if rate else None
    assert parsed.warnings == ()
    assert actual == expected


def test_of_a_small_job_beside_the_workload_only_its_waiting_is_measured() -> None:
    """The number of jobs per second was requested, not measured."""
    text = golden("fsload-interactive.jsonl")
    lines = {number: json.loads(line) for number, line in enumerate(text.splitlines(), start=1)}
    results = [result for result in parse(text).results if result.test.startswith("interactive_")]
    assert {result.metric for result in results} == {"latency_mean", "latency_max"}
    for result in results:
        assert "during" in result.params
        for line, value in in_step(result.lines, result.values):
            assert value == lines[line]["latency_ns"][result.metric.removeprefix("latency_")] / 1e9


def test_an_aged_file_system_has_a_layout_before_and_after() -> None:
    results = parse(golden("fsload-age.jsonl")).results
    names = {(r.test, r.metric) for r in results if r.test.startswith("layout")}
    metrics = {"layout_score", "extents_per_file", "free_extent_size"}
    assert names == {
        ("layout_before", "free_extent_size"),
        *((test, metric) for test in ("layout_filled", "layout_after") for metric in metrics),
    }


def test_direct_io_moved_at_the_device_what_it_was_asked_for() -> None:
    results = parse(golden("fsload-direct.jsonl")).results
    assert results
    for result in results:
        side = "device_read_bytes" if result.test == "read" else "device_write_bytes"
        assert result.evidence[side] >= 0.98 * result.evidence["logical_bytes"]


def test_repetitions_are_values_of_one_result() -> None:
    parsed = parse(golden("fsload-three_repetitions.jsonl"))
    assert {len(result.values) for result in parsed.results} == {3}
    assert (parsed.clock_resolution, parsed.warnings) == (1e-9, ())


def test_a_failed_test_has_the_tool_s_words() -> None:
    parsed = parse(golden("fsload-file_too_large.jsonl"))
    failed = [result for result in parsed.results if result.status == "failed"]
    assert [(r.test, r.metric, r.values) for r in failed] == [
        ("write", "throughput", (None, None)),
        ("random_read", "throughput", (None, None)),
    ]
    assert {r.error for r in failed} == {"write: File too large (data.0, offset 2097152)"}


def test_a_repetition_that_failed_leaves_its_place_empty_in_every_metric() -> None:
    broken = {key: RESULT[key] for key in ("type", "test", "file_size", "record_size", "threads")} | FAILED
    parsed = parse(lines(RESULT, broken, RESULT))
    assert {len(result.values) for result in parsed.results} == {3}
    assert {result.values[1] for result in parsed.results} == {None}
    assert {(r.status, r.error) for r in parsed.results} == {
        ("ok", "write: No space left on device (data.0, offset 8192)")
    }


def test_a_result_within_one_tick_is_unmeasurable() -> None:
    [result] = parse(lines(RESULT | {"elapsed_ns": 0})).results
    assert (result.metric, result.status, result.values) == ("throughput", "unmeasurable", (None,))


def test_parts_of_a_short_cpu_time_are_left_out() -> None:
    metrics = {result.metric for result in parse(lines(RESULT | {"cpu_ns": 50_000_000})).results}
    assert "cpu_of_one_core" in metrics
    assert not {"user_time", "system_time"} & metrics


def test_a_run_that_was_killed_keeps_its_whole_lines() -> None:
    text = golden("fsload-killed.jsonl")[:-40]
    parsed = parse(text)
    assert sum(result.metric == "throughput" for result in parsed.results) == 6
    last = len(text.split("\n"))
    assert parsed.warnings[0] == "the output is not complete: its end line is missing"
    assert parsed.warnings[1].startswith(f'line {last} was not read: {{"type":"result"')


def test_a_run_that_was_interrupted_says_so() -> None:
    assert parse(golden("fsload-interrupted.jsonl")).warnings == ("line 5: a signal ended the measurement early",)


@pytest.mark.parametrize("value", [-1, 1.5, True, None, "8", 2**53, float("nan"), float("inf")])
@pytest.mark.parametrize("name", ["bytes", "elapsed_ns", "file_size"])
def test_a_number_that_is_none_is_refused_with_its_line(name: str, value: object) -> None:
    with pytest.raises(FormatError, match=name) as caught:
        parse(lines(RESULT, RESULT | {name: value}))
    assert caught.value.line == 3


def test_records_have_a_throughput_and_no_rate() -> None:
    found = metrics(lines({**RESULT, **DEVICE}, header=HEADER_2))
    assert (list(found)[:2], found["cpu_of_all_cores"]) == (["throughput", "elapsed"], (0.125,))
    assert "rate" not in found


def test_operations_on_files_have_a_rate_first_and_a_throughput_where_bytes_moved() -> None:
    found = metrics(lines(CREATE, header=HEADER_2))
    assert (next(iter(found)), found["rate"]) == ("rate", (250.0,))
    assert "throughput" not in found
    assert metrics(lines({**CREATE, "bytes": 1048576}, header=HEADER_2))["throughput"] == (524288.0,)


def test_one_kind_out_of_several_has_neither_cpu_nor_elapsed_time_of_its_own() -> None:
    found = metrics(lines(KIND, header=HEADER_2))
    assert set(found) == {"rate", *(name for name in found if name.startswith("latency_"))}


def test_a_kind_that_did_not_happen_is_no_zero() -> None:
    [result] = parse(lines({**KIND, "operations": 0, "latency_ns": None}, header=HEADER_2)).results
    assert (result.metric, result.status, result.error) == ("rate", "unmeasurable", "not once in this time")


def test_latencies_may_have_been_left_out() -> None:
    assert not any(name.startswith("latency") for name in metrics(lines({**RESULT, "latency_ns": None})))
    with pytest.raises(FormatError, match="without latencies"):
        parse(lines({key: value for key, value in RESULT.items() if key != "latency_ns"}))


def test_a_failure_without_sizes_has_no_rate() -> None:
    failed = {"type": "result", "test": "file_create", "threads": 2, **FAILED}
    [result] = parse(lines(failed, header=HEADER_2)).results
    assert (result.metric, result.status, result.threads) == ("rate", "failed", 2)


def test_bytes_of_the_device_are_evidence_of_all_repetitions_together() -> None:
    text = lines({**RESULT, **DEVICE}, {**RESULT, **DEVICE, "repetition": 1}, header=HEADER_2)
    expected = {"device_read_bytes": 8192, "device_write_bytes": 4194304, "logical_bytes": 2097152}
    results = parse(text).results
    assert results
    assert all(result.evidence == expected for result in results)


def test_an_unknown_device_is_no_evidence() -> None:
    results = parse(lines(CREATE, header=HEADER_2)).results
    assert results
    assert all(result.evidence == {} for result in results)


def test_params_are_part_of_what_a_result_is() -> None:
    text = lines({**KIND, "params": {"group": 0}}, {**KIND, "params": {"group": 1}}, header=HEADER_2)
    rates = [result for result in parse(text).results if result.metric == "rate"]
    assert [(result.params, len(result.values)) for result in rates] == [({"group": 0}, 1), ({"group": 1}, 1)]


@pytest.mark.parametrize(
    "params",
    [
        [],
        "x",
        {"a": None},
        {"a": []},
        {"a": ""},
        {"": 1},
        {"a": "x" * 201},
        {"a": float("nan")},
        {"a": 10**400},
        {"a": "\n"},
        {f"p{i}": 1 for i in range(65)},
        {f"p{i}": "x" * 100 for i in range(6)},
    ],
)
def test_params_that_the_contract_does_not_take_are_refused(params: object) -> None:
    with pytest.raises(FormatError, match="params"):
        parse(lines({**KIND, "params": params}, header=HEADER_2))


@pytest.mark.parametrize("test", [None, "", "Create", "create-file", "x" * 65])
def test_a_test_that_is_no_name_is_refused(test: object) -> None:
    with pytest.raises(FormatError, match="no test's name"):
        parse(lines({**KIND, "test": test}, header=HEADER_2))


def test_layouts_are_tests_of_their_moment() -> None:
    layout = {"type": "layout", "layout_score": 0.75, "extents_per_file": 1.5, "mean_free_bytes": 4096.0}
    unknown = {"layout_score": None, "extents_per_file": None, "mean_free_bytes": None}
    text = lines({**layout, "when": None}, {**layout, **unknown, "when": "before"}, {**layout, "when": "after"})
    assert [(r.test, r.metric, r.values) for r in parse(text).results] == [
        (test, metric, (value,))
        for test in ("layout", "layout_after")
        for metric, value in (("layout_score", 0.75), ("extents_per_file", 1.5), ("free_extent_size", 4096.0))
    ]
    for wrong in ({"when": "a b"}, {"when": 1.5}, {"when": None, "layout_score": "x"}):
        with pytest.raises(FormatError):
            parse(lines({**layout, **wrong}))


def test_how_an_aging_met_its_profile_stays_in_the_text() -> None:
    parsed = parse(lines(RESULT, {"type": "aging", "files": 7}, {"type": "distribution", "of": "size"}))
    assert (parsed.warnings, {result.test for result in parsed.results}) == ((), {"write"})


def test_a_text_without_header_is_refused() -> None:
    with pytest.raises(FormatError, match="no header line"):
        parse(json.dumps(RESULT) + "\n", tool="fsload")
