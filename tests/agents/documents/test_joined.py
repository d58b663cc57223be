"""Further rounds joined to the run that they continue: values, lines, errors and evidence of both, round by round."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.documents.joined import differences, joined
from benchagent.formats.columns import ResultColumns
from benchagent.formats.packing.series import packed
from benchagent.formats.rounds import MergedResult


def document(run_id: str, results: list[MergedResult], **changes: Any) -> Any:
    rounds = max(len(result.values) for result in results)
    names = sorted({name for result in results for name in result.artifacts if name})
    return {
        "run_id": run_id,
        "schema": "benchdb.run/1",
        "started_at": f"{run_id} started",
        "finished_at": f"{run_id} finished",
        "agent": {"version": run_id},
        "campaign": {"id": f"campaign of {run_id}", "point": "ext4/sweep"},
        "labels": {"of": run_id},
        "machine": {"name": "box", "machine_id": "5a"},
        "environment": {"cpu": {"model": "x"}, "kernel": {"release": "6.1"}},
        "target": {"kind": "image", "file_system": {"type": "ext4"}},
        "state_before": {"fill": 0.1},
        "workload": {"tool": "fsload", "tool_version": "1", "command": ["fsload"], "parameters": {"a": 1}},
        "protocol": {"cache": "cold", "order": "interleaved", "prepare": "mkfs", "seed": 0, "ended_by": "rounds"},
        "rounds": [{"started_at": f"{run_id} {i}", "position": 2 * i, "status": "ok"} for i in range(rounds)],
        "results": ResultColumns.of(results).as_json(),
        "artifacts": [{"name": name, "data": run_id} for name in names],
        "extra": {},
        **changes,
    }


def result(values: list[float | None], test: str = "write", first: int = 1, **fields: Any) -> MergedResult:
    names = [f"round-{number}/fsload.txt" for number in range(first, first + len(values))]
    return MergedResult(test, "throughput", "B/s", values, artifacts=names, lines=[7] * len(values), **fields)


def columns(joint: Any) -> dict[str, Any]:
    """The columns of each result of a document, by its test."""
    results, found = joint["results"], {}
    for i, test in enumerate(results["test"]):
        start, end = results["offsets"][i : i + 2]
        found[test] = {
            "values": results["values"][start:end],
            "status": results.get("status", ["ok"] * len(results["test"]))[i],
            "error": results.get("error", [None] * len(results["test"]))[i],
            "evidence": results.get("evidence", [None] * len(results["test"]))[i],
            "artifacts": results["artifacts"][results["source"][i]],
        }
    return found


def test_the_rounds_follow_each_other_under_the_new_id() -> None:
    first, second = document("a", [result([1.0, 2.0])]), document("b", [result([3.0], first=3)])
    joint: Any = joined(first, second)
    assert joint["continues"] == {"run_id": "a", "look": 2, "rounds": 2}
    assert joint["rounds"] == first["rounds"] + second["rounds"]
    assert (joint["run_id"], joint["started_at"], joint["finished_at"]) == ("b", "a started", "b finished")
    assert (joint["campaign"]["id"], joint["labels"]) == ("campaign of a", {"of": "a"})
    (found,) = columns(joint).values()
    assert found["values"] == [1.0, 2.0, 3.0]
    assert found["artifacts"] == [f"round-{number}/fsload.txt" for number in (1, 2, 3)]
    assert [each["name"] for each in joint["artifacts"]] == found["artifacts"]


def test_series_follow_their_rounds() -> None:
    first = document("a", [result([1.0, 2.0])], series=[{"round": 1, "name": "device_writes", "packed": packed([1])}])
    second = document(
        "b", [result([3.0], first=3)], series=[{"round": 0, "name": "device_writes", "packed": packed([2])}]
    )
    assert [each["round"] for each in joined(first, second)["series"]] == [1, 2]
    assert first["series"][0]["round"] == 1
    assert "series" not in joined(document("a", [result([1.0])]), document("b", [result([2.0])]))


def test_each_continuation_is_one_look_more() -> None:
    second: Any = joined(document("a", [result([1.0])]), document("b", [result([2.0], first=2)]))
    third: Any = joined(second, document("c", [result([3.0, 4.0], first=3)]))
    assert third["continues"] == {"run_id": "b", "look": 3, "rounds": 2}
    assert columns(third)["write"]["values"] == [1.0, 2.0, 3.0, 4.0]


def test_a_result_that_one_of_them_lacks_has_rounds_without_a_value() -> None:
    first = document("a", [result([1.0, 2.0], "write"), result([5.0, 6.0], "read")])
    second = document("b", [result([3.0], "write", 3), result([9.0], "rewrite", 3)])
    found = columns(joined(first, second))
    assert {test: each["values"] for test, each in found.items()} == {
        "write": [1.0, 2.0, 3.0],
        "read": [5.0, 6.0, None],
        "rewrite": [None, None, 9.0],
    }
    assert found["rewrite"]["artifacts"] == [None, None, "round-3/fsload.txt"]


def test_distributions_stay_with_their_rounds() -> None:
    first = document("a", [result([1.0, None], "write", histograms=["x", None]), result([5.0, 6.0], "read")])
    second = document("b", [result([3.0], "write", 3), result([9.0], "rewrite", 3, histograms=["y"])])
    joint: Any = joined(first, second)
    found = dict(zip(joint["results"]["test"], joint["results"]["histograms"], strict=True))
    assert found == {"write": ["x", None, None], "read": None, "rewrite": [None, None, "y"]}


def test_errors_keep_the_number_of_their_round() -> None:
    first = document("a", [result([1.0, None], error="round 2: no space")])
    second = document("b", [result([None], first=3, status="failed", error="round 1: no space")])
    found = columns(joined(first, second))["write"]
    assert (found["status"], found["error"]) == ("ok", "round 2: no space\nround 3: no space")


def test_without_any_value_the_result_has_failed() -> None:
    first = document("a", [result([None], status="unmeasurable")])
    second = document("b", [result([None], first=2, status="failed", error="broken")])
    assert columns(joined(first, second))["write"]["status"] == "failed"
    assert columns(joined(first, document("b", [result([None], status="unmeasurable")])))["write"]["status"] == (
        "unmeasurable"
    )


def test_evidence_is_added_up_and_caches_were_emptied_only_if_always() -> None:
    cold = {"device_read_bytes": 10, "cache_emptied": True}
    first = document("a", [result([1.0], evidence=cold)])
    both = columns(joined(first, document("b", [result([2.0], evidence=cold)])))["write"]["evidence"]
    assert both == {"device_read_bytes": 20, "cache_emptied": True}
    once = columns(joined(first, document("b", [result([2.0], evidence={"device_read_bytes": 1})])))["write"]
    assert once["evidence"] == {"device_read_bytes": 11}


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (("machine", "machine_id"), "machine"),
        (("environment", "kernel"), "environment.kernel"),
        (("target", "kind"), "target.kind"),
        (("workload", "command"), "workload.command"),
        (("protocol", "seed"), "protocol.seed"),
    ],
)
def test_a_difference_is_named(path: tuple[str, str], name: str) -> None:
    first, second = document("a", [result([1.0])]), document("b", [result([2.0])])
    assert differences(first, second) == []
    other = copy.deepcopy(second)
    other[path[0]][path[1]] = "another"
    assert differences(first, other) == [name]


def test_settings_that_end_a_plan_may_differ() -> None:
    first, second = document("a", [result([1.0])]), document("b", [result([2.0])])
    second["protocol"] |= {"ended_by": "time_budget", "precision": 0.02}
    assert differences(first, second) == []


VALUES = st.lists(st.none() | st.floats(0, 1e12), min_size=1, max_size=6)


@given(VALUES, VALUES)
def test_no_value_is_lost_or_moved(earlier: list[float | None], later: list[float | None]) -> None:
    joint = joined(document("a", [result(earlier)]), document("b", [result(later, first=len(earlier) + 1)]))
    assert columns(joint)["write"]["values"] == earlier + later
    assert len(joint["rounds"]) == len(earlier + later)
