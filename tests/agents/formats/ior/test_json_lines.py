"""IOR's JSON: repetitions, exact sizes, warnings between its lines, several tests, cut and damaged documents."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.formats import FormatError, Parsed, Result, parse
from tests.agents.formats.texts import apart, golden

REPETITIONS, STONEWALL, TESTS = (golden(f"ior-json_{name}.json") for name in ("repetitions", "stonewall", "tests"))


def the(parsed: Parsed, test: str, metric: str, **params: object) -> Result:
    [found] = [
        result
        for result in parsed.results
        if (result.test, result.metric, apart(parsed, result)) == (test, metric, params)
    ]
    return found


def test_every_repetition_is_a_value() -> None:
    parsed = parse(REPETITIONS)
    assert (parsed.tool, parsed.tool_version, parsed.complete, parsed.unread) == ("ior", "4.1.0+dev", True, ())
    assert parsed.command == (
        "ior -i 3 -t 256k -b 4m -s 2 -F -e -O summaryFormat=JSON,summaryFile=ior.json -o /mnt/data/f"
    )
    assert the(parsed, "write", "throughput").values == (423.3036 * 2**20, 259.9889 * 2**20, 270.0601 * 2**20)
    assert the(parsed, "read", "rate").values == (4306.8197, 49774.7925, 3083.4448)
    assert the(parsed, "write", "elapsed", phase="close").values == (0.0022, 0.0012, 0.0012)
    assert the(parsed, "write", "elapsed").values == (0.0378, 0.0615, 0.0592)
    assert the(parsed, "read", "rate", view="sd").values == (21506.6206,)
    assert the(parsed, "read", "elapsed", view="mean").values == (0.0123,)


def test_each_number_has_its_own_line() -> None:
    lines = REPETITIONS.split("\n")
    for metric, key in (("throughput", "bwMiB"), ("rate", "iops"), ("latency_mean", "latency")):
        assert all(f'"{key}"' in lines[line - 1] for line in the(parse(REPETITIONS), "read", metric).lines)


def test_a_time_below_four_decimals_is_unmeasurable() -> None:
    latency = the(parse(REPETITIONS), "read", "latency_mean")
    assert (latency.values, latency.error) == ((0.0005, None, 0.0006), "IOR printed 0.0000")


def test_sizes_and_settings() -> None:
    parsed = parse(REPETITIONS)
    assert {(result.file_size, result.record_size, result.threads) for result in parsed.results} == {
        (8 * 2**20, 2**18, 2)
    }
    assert parsed.parameters["fsync"] is True
    assert (parsed.parameters["segments"], parsed.parameters["api"]) == (2, "POSIX")


def test_sizes_that_the_options_round_are_exact() -> None:
    odd = REPETITIONS.replace('"blockSize": 4194304', '"blockSize": 4456448').replace('"4 MiB"', '"4.25 MiB"')
    assert {result.file_size for result in parse(odd).results} == {2 * 4456448}


def test_warnings_between_the_lines_of_json() -> None:
    parsed = parse(STONEWALL)
    assert (parsed.complete, parsed.unread) == (True, ())
    assert len([warning for warning in parsed.warnings if "deadlineForStonewalling" in warning]) == 2
    assert the(parsed, "write", "throughput").values == (74.4639 * 2**20, 132.0466 * 2**20)
    assert (parsed.parameters["stonewall_seconds"], parsed.parameters["stonewall_wear_out"]) == (1, 1)


def test_several_tests_are_told_apart() -> None:
    parsed = parse(TESTS)
    assert (parsed.complete, parsed.unread) == (True, ())
    writes = {
        (result.record_size, result.params["ordering"]): result.values
        for result in parsed.results
        if (result.test, result.metric) == ("write", "throughput") and "view" not in result.params
    }
    assert writes == {
        (65536, "sequential"): (343.2046 * 2**20, 128.7623 * 2**20),
        (4096, "random"): (39.4933 * 2**20, 59.5169 * 2**20),
    }
    assert all(result.params["fsync"] is True for result in parsed.results)


def test_json_on_one_line() -> None:
    parsed, whole = parse(json.dumps(json.loads(REPETITIONS))), parse(REPETITIONS)
    assert [(result.test, result.metric, result.params, result.values) for result in parsed.results] == [
        (result.test, result.metric, result.params, result.values) for result in whole.results
    ]


def test_a_run_that_was_interrupted() -> None:
    parsed = parse(REPETITIONS[: REPETITIONS.index('"summary"')])
    assert not parsed.complete
    assert len(the(parsed, "write", "throughput").values) == 3


def test_a_failed_run_has_the_words_of_ior() -> None:
    words = "ior ERROR: write() failed, No space left on device, (aiori-POSIX.c:471)"
    head = REPETITIONS[: REPETITIONS.index('        "access": "read"')].rstrip(", {\n")
    parsed = parse(f"{head}\n{words}\n")
    failed = next(result for result in parsed.results if result.status == "failed")
    assert (failed.test, failed.metric, failed.error) == ("read", "throughput", words)


def test_an_infinite_throughput_is_no_number() -> None:
    parsed = parse(REPETITIONS.replace("12324.8602", '"inf"'))
    throughput = the(parsed, "read", "throughput")
    assert (throughput.values, throughput.error) == ((1074.8425 * 2**20, None, 769.7824 * 2**20), "IOR printed inf")
    assert the(parsed, "read", "throughput", view="max").status == "unmeasurable"


def test_an_unknown_key_is_listed_as_not_read() -> None:
    parsed = parse(REPETITIONS.replace('"closeTime": 0.0022', '"closeTime": 0.0022, "jitter": 0.5'))
    assert [line for _, line in parsed.unread] == ['"closeTime": 0.0022, "jitter": 0.5,']


def test_no_repetition() -> None:
    with pytest.raises(FormatError, match="in JSON its list “Results”"):
        parse(REPETITIONS[: REPETITIONS.index('"Results"')])


@given(st.lists(st.integers(1, 10**9), min_size=1, max_size=5))
def test_any_throughput_is_read_as_printed(printed: list[int]) -> None:
    rows = ", ".join(f'{{"access": "write", "bwMiB": {number / 10**4:.4f}}}' for number in printed)
    text = f'{{"Version": "4.0", "Began": "", "Command line": "ior", "tests": [{{"TestID": 0, "Results": [{rows}]}}]}}'
    assert the(parse(text), "write", "throughput").values == tuple(number * 2**20 / 10**4 for number in printed)
