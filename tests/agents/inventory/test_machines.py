"""Every recorded machine: all expected facts, and explicit checks of those it was recorded for."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchagent.inventory import environment, target
from tests.agents.inventory.machines import EXPECTED, MACHINES, expected, facts
from tests.agents.inventory.recorded_for import ABSENT, RECORDED_FOR
from tests.agents.inventory.trees import TREES, recorded
from tests.texts import missing_in

MADE_UP = ["SERIAL", "5QG0EF56", "example.org", "192.0.2.", "wanda", "3600d0231", "naa.", "eui.", "a1:b2:c3", "tank"]


def parts(found: Any, wanted: Any) -> Any:
    """What was found, without the parts that are not wanted."""
    if isinstance(wanted, set):
        return wanted & set(found)
    if isinstance(wanted, dict):
        items = found if isinstance(found, dict) else {key: found[key] for key in wanted}
        return {key: parts(items.get(key, ABSENT), value) for key, value in wanted.items()}
    if isinstance(wanted, list) and len(found) == len(wanted):
        return [parts(*both) for both in zip(found, wanted)]
    return found


def test_every_tree_is_a_machine_here() -> None:
    assert sorted(path.stem for path in TREES.glob("*.tree")) == sorted(MACHINES)
    assert sorted(path.stem for path in EXPECTED.glob("*.json")) == sorted(MACHINES)
    assert len(MACHINES) >= 12


@pytest.mark.parametrize("name", MACHINES)
def test_all_facts_are_as_expected(name: str, tmp_path: Path) -> None:
    assert facts(recorded(name, tmp_path), MACHINES[name]) == expected(name)


@pytest.mark.parametrize("name", MACHINES)
def test_nothing_private_is_expected(name: str) -> None:
    found = expected(name)
    told = json.dumps([found["environment"], list(found["targets"].values())])
    paths = json.dumps([each["target"]["mount"]["point"] for each in found["targets"].values()])
    assert [word for word in MADE_UP if word in told and word not in paths] == []


@pytest.mark.parametrize("name", RECORDED_FOR)
def test_what_a_machine_was_recorded_for(name: str, tmp_path: Path) -> None:
    found = facts(recorded(name, tmp_path), MACHINES[name])

    assert parts(found, RECORDED_FOR[name]) == RECORDED_FOR[name]


def test_what_changes_or_is_private_is_no_setting() -> None:
    array, client, board = expected("md_raid10_degraded"), expected("nfs_client"), expected("raspberry_pi4")

    assert "degraded" not in json.dumps([array["environment"], array["targets"]["/srv"]["target"]])
    assert "addr" not in json.dumps(client["targets"]["/mnt/bench"]["target"]["mount"]["options"])
    assert not missing_in(board["environment"]["kernel"]["command_line"], "=PARTUUID=<uuid>", "smsc95xx.macaddr=<mac>")


def test_waiting_changes_neither_environment_nor_target(tmp_path: Path) -> None:
    """A machine is the same after a resync or scrub ends, a clock moves or a disk fills."""
    source = recorded("md_raid10_degraded", tmp_path)
    before, (settings, state) = environment(source), target("/srv", source)
    md = tmp_path / "sys/devices/virtual/block/md127/md"
    (md / "sync_action").write_text("idle\n")
    (md / "sync_completed").write_text("none\n")
    (md / "degraded").write_text("0\n")
    (md / "array_state").write_text("clean\n")
    (tmp_path / "proc/meminfo").write_text(
        (tmp_path / "proc/meminfo").read_text().replace("MemFree:        ", "MemFree: ")
    )
    (tmp_path / "paths.json").write_text((tmp_path / "paths.json").read_text().replace("1599429515673", "99429515673"))
    assert environment(source) == before
    again, later = target("/srv", source)
    assert again == settings
    assert later["arrays"] == [{"kind": "raid", "name": "md127", "state": "healthy", "done": None}]
    assert later["fill"] > state["fill"]
