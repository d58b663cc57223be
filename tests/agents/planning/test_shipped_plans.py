"""The plans shipped with the agent: each can be checked, and has the structure of the measurement that it repeats."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchagent.cli import main
from benchagent.plan.model import Plan
from benchagent.plan.reading import load
from benchagent.plan.workloads import bytes_written
from benchagent.planning.files import with_files
from benchagent.tools import fsload

PLANS = Path(__file__).parents[3] / "agents" / "plans"
SHIPPED = sorted(path.stem for path in PLANS.glob("*.toml"))
PAIRS = [name.removesuffix("-small") for name in SHIPPED if name.endswith("-small")]
PAGE = (PLANS.parents[1] / "docs" / "plans.md").read_text()


def shipped(name: str) -> Plan:
    return with_files(load((PLANS / f"{name}.toml").read_text()), PLANS)


@pytest.mark.parametrize("name", SHIPPED)
def test_can_be_checked(
    name: str, in_memory: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BENCHAGENT_STATE", str(in_memory))
    monkeypatch.setenv("BENCHAGENT_FSLOAD", "true")  # only its presence counts
    assert main(["plan", "check", name, "--directory", str(in_memory), "--json"]) == 0
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert (report["plan"]["name"], report["machine_not_asked"]) == (name, None)
    skipped = {point["skipped"] or "" for point in report["points"]}
    assert not [why for why in skipped if "this kernel refuses" in why], "it asks for what this kernel does not know"


@pytest.mark.parametrize("name", SHIPPED)
def test_is_called_as_its_file_and_stands_on_the_page(name: str) -> None:
    assert shipped(name).name == name
    assert f"`{name}`" in PAGE


@pytest.mark.parametrize("name", PAIRS)
def test_a_small_form_has_the_points_of_the_full_one(name: str) -> None:
    full, small = shipped(name), shipped(f"{name}-small")
    assert [target.name for target in small.targets] == [target.name for target in full.targets]
    assert {workload.tool for workload in small.workloads} == {workload.tool for workload in full.workloads}
    assert (small.order, small.cache) == (full.order, full.cache)
    assert small.memory is not None
    assert full.memory is None


@pytest.mark.parametrize("name", [*(f"{name}-small" for name in PAIRS), "comparison", "same"])
def test_a_small_form_fits_its_images(name: str) -> None:
    """No workload has more bytes on the disk at once than an image of this size can hold."""
    plan = shipped(name)
    assert plan.workloads
    for workload in plan.workloads:
        largest = max([0, *_sizes(workload.parameters.get("file_sizes")), *_sizes(workload.parameters.get("fill"))])
        assert largest <= min(target.size for target in plan.targets) / 1.4
        if workload.tool == "fsload" and workload.parameters.get("command") == "bulk":
            assert (bytes_written(workload, plan.memory) or 0) <= min(target.size for target in plan.targets) / 1.4


def _sizes(value: object) -> list[int]:
    return [int(each) for each in (value if isinstance(value, list) else [value] if isinstance(value, int) else [])]


def test_the_comparison_is_what_was_asked_for() -> None:
    plan = shipped("comparison")
    assert (plan.rounds, plan.order) == (10, "rotated")
    assert [target.name for target in plan.targets] == [
        "ext2",
        "ext3",
        "ext4-barrier",
        "ext4-nobarrier",
        "xfs",
        "btrfs",
    ]
    [iozone] = [workload for workload in plan.workloads if workload.tool == "iozone"]
    assert len(_sizes(iozone.parameters["record_sizes"])) == 4
    assert "tests" not in iozone.parameters, "all thirteen"
    names = [workload.name for workload in plan.workloads]
    assert names == [
        "iozone",
        "create-threads-4",
        "create-threads-16",
        "create-threads-64",
        "create-delete",
        "maintenance",
    ]


def test_the_same_is_the_same_four_times() -> None:
    targets = shipped("same").targets
    assert [target.name for target in targets] == ["ext4-a", "ext4-b", "ext4-c", "ext4-d"]
    assert len({replace(target, name="") for target in targets}) == 1


def test_factors_has_every_combination_of_five_settings_once() -> None:
    """What the questions page needs for the effects of each and of each two together (docs/questions.md)."""
    settings = [
        (
            "data=journal" in target.mount_options,
            "noatime" in target.mount_options,
            "nobarrier" in target.mount_options,
            target.read_ahead,
            target.scheduler,
        )
        for target in shipped("factors").targets
    ]
    assert len(settings) == len(set(settings)) == 2**5
    assert [len(set(values)) for values in zip(*settings)] == [2] * 5


def test_every_file_beside_the_plans_is_used() -> None:
    used = {
        str(workload.parameters[key])
        for name in SHIPPED
        for workload in shipped(name).workloads
        if workload.tool == "fsload"
        for key in fsload.TOOL.files(workload.parameters)
    }
    assert used == {str(path.relative_to(PLANS)) for path in (PLANS / "profiles").iterdir()}


@pytest.mark.parametrize("name", SHIPPED)
def test_every_plan_has_eight_rounds_or_a_precision(name: str) -> None:
    """With fewer, a difference of 10 % is rarely found, and several levels or dependence never (docs/plans.md)."""
    plan = shipped(name)
    assert plan.precision is not None or max(plan.rounds or 0, plan.min_rounds) >= 8
    assert plan.min_rounds >= 8 or plan.time_budget is None
