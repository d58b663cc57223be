"""IO500's summaries and result.txt: phases, scores that are geometric means or not, and runs that are printed twice."""

import re

import pytest

from benchagent.formats import FormatError, Parsed, parse
from tests.agents.formats.texts import golden

SUMMARY, RESULT = golden("io500-summary.txt"), golden("io500-result.txt")


def values(parsed: Parsed) -> dict[tuple[str, str], tuple]:
    return {
        (result.test, result.metric): tuple(round(value, 3) for value in result.values)
        for result in parsed.results
        if "view" not in result.params
    }


def test_a_summary_and_a_result_file_of_one_run_say_the_same() -> None:
    summary, result = parse(SUMMARY), parse(RESULT)
    assert values(summary) == values(result)
    assert summary.tool_version == result.tool_version == "io500-invented_v1"
    assert (summary.complete, result.complete, summary.unread, result.unread) == (True, True, (), ())
    assert len(summary.results) == 14  # twelve phases, two scores


def test_a_result_file_has_tasks_sizes_and_the_rates_at_the_stonewall() -> None:
    parsed = parse(RESULT)
    assert {result.threads for result in parsed.results} == {16}
    sizes = {result.test: (result.record_size, result.params.get("api")) for result in parsed.results}
    assert (sizes["ior_easy_write"], sizes["ior_hard_read"]) == ((2 * 2**20, None), (47008, "MPIIO"))
    views = {result.test: result.values for result in parsed.results if result.params.get("view") == "stonewall"}
    assert views == {"ior_easy_write": (13.5 * 2**30,), "mdtest_easy_write": (112699.277,)}


def test_both_files_in_one_text_are_one_run() -> None:
    assert values(parse(SUMMARY + RESULT)) == values(parse(RESULT))
    assert all(len(result.values) == 1 for result in parse(RESULT + SUMMARY).results)


def test_two_runs_are_two_values() -> None:
    other = SUMMARY.replace("1500.125000", "1500.126000")
    assert len(parse(SUMMARY + other).results[0].values) == 2


def test_a_total_that_is_a_product_is_named() -> None:
    bandwidth, rate = map(float, re.findall(r"Bandwidth ([0-9.]+).*IOPS ([0-9.]+)", SUMMARY)[0])
    parsed = parse(re.sub("TOTAL .*", f"TOTAL {bandwidth * rate:.3f}", SUMMARY))
    [warning] = parsed.warnings
    assert "the total score is the product of bandwidth and IOPS, not the geometric mean" in warning
    assert ("score", "rate") in values(parsed)


def test_a_score_that_differs_from_its_phases_is_left_out() -> None:
    parsed = parse(re.sub("Bandwidth [0-9.]+", "Bandwidth 7.5", SUMMARY))
    assert ("score", "throughput") not in values(parsed)
    assert "the bandwidth score is 7.5, not the geometric mean" in parsed.warnings[0]


OLD = """[RESULT] BW   phase 1            ior_easy_write               12.308 GB/s : time 416.01 seconds
[RESULT-invalid] IOPS phase 1         mdtest_easy_write              181.409 kiops : time 255.11 seconds
[SCORE-invalid] Bandwidth 0 GB/s : IOPS 0 kiops : TOTAL 0
"""


def test_the_scripts_of_2018_print_gib_as_gb_and_invalid_runs_have_no_score() -> None:
    parsed = parse(OLD)
    assert values(parsed) == {
        ("ior_easy_write", "throughput"): (round(12.308 * 2**30, 3),),
        ("mdtest_easy_write", "rate"): (181409.0,),
    }
    assert parsed.warnings == ("line 1: IO500 calls this run invalid",)


def test_phases_that_are_printed_again_at_the_end_count_once() -> None:
    [first] = {len(result.values) for result in parse(SUMMARY.rpartition("[SCORE")[0] + SUMMARY).results}
    assert first == 1


def test_a_run_without_a_phase_is_refused() -> None:
    with pytest.raises(FormatError, match="no phase of IO500 has a number"):
        parse(RESULT.partition("\n[ior-easy-write]")[0], "io500")
