"""Results merged over rounds: each value in its round's position, and a reason for each missing one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timezone
from typing import Any

from benchagent.documents.records import ParsedOutput, RawOutput, Round, RoundEvidence
from benchagent.documents.results import WHOLE, merge
from benchagent.formats import Parsed, Result
from benchagent.formats.rounds import MergedResult

NOW = datetime(2026, 11, 20, tzinfo=timezone.utc)


def result(value: float | None, test: str = "write", **fields: Any) -> Result:
    return Result(test, "throughput", "B/s", (value,), lines=(7,), **fields)


def reading(artifact: str, *results: Result, emptied: Sequence[int] = ()) -> ParsedOutput:
    return ParsedOutput(artifact, Parsed("iozone", "3.489", None, results, (), "1"), frozenset(emptied))


def round_(number: int, *results: Result, error: str | None = None) -> Round:
    return Round(
        started_at=NOW,
        elapsed=1.5,
        position=number,
        readings=(reading(f"round-{number}/iozone.txt", *results),),
        error=error,
        evidence=RoundEvidence({"user_seconds": 0.25, "system_seconds": 0.5}),
        artifacts=(RawOutput(f"round-{number}/iozone.txt", "text/plain", "x"),),
    )


def only(results: list[MergedResult]) -> MergedResult:
    [found] = [each for each in results if each.test != WHOLE]
    return found


def test_values_stand_where_their_rounds_stand() -> None:
    merged = only(merge([round_(1, result(1.0)), round_(2), round_(3, result(3.0))]))
    assert merged.values == [1.0, None, 3.0]
    assert (merged.status, merged.error) == ("ok", None)
    assert (merged.artifacts, merged.lines) == (["round-1/iozone.txt", None, "round-3/iozone.txt"], [7, None, 7])


def test_results_differ_by_everything_that_makes_them_unique() -> None:
    several = [
        result(1.0),
        result(1.0, file_size=4096),
        result(1.0, record_size=4096),
        result(1.0, threads=2),
        result(1.0, params={"a": 1}),
        result(1.0, params={"a": 1, "b": 2}),
        result(1.0, "read"),
    ]
    assert len(merge([round_(1, *several), round_(2, *reversed(several))], whole=False)) == len(several)


def test_the_order_of_params_makes_no_difference() -> None:
    one, two = result(1.0, params={"a": 1, "b": 2}), result(2.0, params={"b": 2, "a": 1})
    assert only(merge([round_(1, one), round_(2, two)])).values == [1.0, 2.0]


def test_a_failed_round_gives_no_values_and_says_why() -> None:
    found = only(merge([round_(1, result(1.0)), round_(2, result(2.0), error="No space left on device")]))
    assert (found.values, found.status) == ([1.0, None], "ok")
    assert found.error == "round 2: No space left on device"
    assert (found.artifacts, found.lines) == (["round-1/iozone.txt", None], [7, None])


def test_one_failed_test_leaves_the_others_of_its_round() -> None:
    failed = result(None, "write", status="failed", error="write: No space left on device")
    results = {each.test: each for each in merge([round_(1, failed, result(5.0, "read"))])}
    assert (results["write"].status, results["write"].error) == ("failed", "write: No space left on device")
    assert (results["read"].status, results["read"].values) == ("ok", [5.0])


def test_too_fast_in_every_round_is_unmeasurable() -> None:
    fast = result(None, status="unmeasurable", error="too fast")
    assert only(merge([round_(1, fast), round_(2, fast)])).status == "unmeasurable"
    assert only(merge([round_(1, fast), round_(2, result(2.0))])).status == "ok"
    broken = result(None, status="failed", error="broken")
    assert only(merge([round_(1, fast), round_(2, broken)])).status == "failed"


def test_evidence_is_that_of_the_rounds_that_have_a_value() -> None:
    seen = {"device_write_bytes": 4096, "logical_bytes": 8192}
    rounds = [round_(1, result(1.0, evidence=seen)), round_(2, result(2.0, evidence=seen), error="killed")]
    assert only(merge(rounds)).evidence == seen
    assert only(merge([*rounds, round_(3, result(2.0, evidence=seen))])).evidence == {
        "device_write_bytes": 8192,
        "logical_bytes": 16384,
    }
    assert only(merge([round_(1, result(1.0))])).evidence == {}


def test_each_value_stands_in_the_output_of_its_own_invocation() -> None:
    parts = (reading("round-1/iozone-1.txt", result(1.0)), reading("round-1/iozone-2.txt", result(2.0, "read")))
    results = {each.test: each for each in merge([replace(round_(1), readings=parts)])}
    assert (results["write"].artifacts, results["write"].lines) == (["round-1/iozone-1.txt"], [7])
    assert (results["read"].artifacts, results["read"].lines) == (["round-1/iozone-2.txt"], [7])


def test_a_result_was_cold_where_it_was_in_every_round_that_counts() -> None:
    def rounds(*emptied: Sequence[int]) -> list[Round]:
        parts = [reading("x", result(1.0), result(1.0, "reread"), emptied=flag) for flag in emptied]
        return [replace(round_(number), readings=(part,)) for number, part in enumerate(parts)]

    first, second = merge(rounds([0], [0]), whole=False)
    assert (first.evidence, second.evidence) == ({"cache_emptied": True}, {})
    assert merge(rounds([0], []), whole=False)[0].evidence == {}
    failed = [*rounds([0]), round_(1, result(1.0), error="killed")]
    assert merge(failed, whole=False)[0].evidence == {"cache_emptied": True}


def test_the_run_measures_itself() -> None:
    results = {each.metric: each for each in merge([round_(1), round_(2, error="killed")])}
    assert (results["elapsed"].values, results["user_time"].values) == ([1.5, None], [0.25, None])
    assert results["system_time"].values == [0.5, None]
    assert all(each.error == "round 2: killed" for each in results.values())


def test_a_run_whose_every_round_failed_has_failed_results() -> None:
    results = merge([round_(1, error="killed"), round_(2, error="killed")])
    assert {each.status for each in results} == {"failed"}
    assert all(each.values == [None, None] and each.error for each in results)


def test_long_words_are_cut_to_what_the_contract_takes() -> None:
    assert len(only(merge([round_(n, result(None), error="x" * 1000) for n in range(20)])).error) <= 4096
