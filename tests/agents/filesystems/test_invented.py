"""A new file system is one file: plans, agent and server use it without a change to any other."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchagent.cli import main
from benchagent.diagnosis.programs import programs
from benchagent.errors import PlanError
from benchagent.filesystems import FILE_SYSTEMS, FileSystemType
from benchagent.filesystems.btrfs import layers, states
from benchagent.plan.reading import load
from benchagent.plan.served import faults_of
from benchagent.planning.adaptation import translated
from benchagent.system.discovery import discovered
from benchdb.facts.registry import BY_NAME
from benchdb.runs.cells.storage_caches import direct_on, storage_facts
from benchdb.stats import Access, Direct
from benchdb.wording.colours import colours
from tests.agents.inventory.trees import mounted, recorded
from tests.agents.targets.test_prepare import loop_devices, root
from tests.agents.tools.fsload.test_build import script
from tests.support import invented_file_systems
from tests.support.documents import environment

NAME = "ramfs"
PLAN = """
name = "invented"
rounds = 1
[[targets]]
kind = "image"
file_system = "ramfs"
size = "1 MiB"
mkfs_options = ["-b", "8192"]
mount_options = ["mode=700", "barrier=0"]
[[workloads]]
tool = "maintenance"
tests = ["fsck_clean"]
"""


@pytest.fixture
def invented(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file system is known, and its programs are in this folder."""
    folder = invented_file_systems
    known = discovered(folder.__path__, folder.__name__, FileSystemType, "FILE_SYSTEMS")
    monkeypatch.setitem(FILE_SYSTEMS, NAME, known[NAME])
    for program in ("mkfs.ramfs", "fsck.ramfs"):
        script(tmp_path / "bin" / program, '#!/bin/sh\necho "${0##*/} 1.25 $*"\n')
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    return tmp_path / "bin"


def test_without_its_file_plans_cannot_name_it() -> None:
    with pytest.raises(PlanError, match="file_system is 'ramfs'; expected one of ext2, ext3, ext4, xfs"):
        load(PLAN)


def test_options_are_translated_and_those_of_servers_checked(invented: Path) -> None:
    plan = load(PLAN)
    removed, foreign = load(PLAN.replace("barrier=0", "fsync=lazy")), load(PLAN.replace("mode=700", "mode=x"))

    assert translated(plan, "6.1").targets[0].mount_options == ("mode=700", "nobarrier")
    assert (
        translated(removed, "6.1").targets[0].refused
        == "fsync=lazy cannot be had on ramfs: it was removed in Linux 5.0"
    )
    assert (faults_of(plan), ["mode=x" in fault for fault in faults_of(foreign)]) == ([], [True])


def test_a_missing_program_is_named_with_its_package(invented: Path) -> None:
    (invented / "fsck.ramfs").unlink()

    [finding] = [each for each in programs() if each.what == NAME]
    assert (finding.detail, finding.packages["debian"]) == ("no fsck.ramfs", ("ramfs-utils",))


def measured(folder: Path, patch: pytest.MonkeyPatch) -> dict[str, dict[str, Any]]:
    """The documents of the plan by their tools."""
    patch.setenv("BENCHAGENT_STATE", str(folder / "state"))
    (folder / "plan.toml").write_text(PLAN)
    assert [main([*command, str(folder / "plan.toml")]) for command in (["plan", "check"], ["run"])] == [0, 0]
    documents = [json.loads(path.read_bytes()) for path in (folder / "state/spool/pending").iterdir()]
    return {each["workload"]["tool"]: each for each in documents if "workload" in each}


@root
@loop_devices
def test_it_is_made_mounted_read_and_checked_and_judged(
    invented: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = measured(tmp_path, monkeypatch)
    check, target = documents["maintenance"], documents["maintenance"]["target"]

    assert target["file_system"]["mkfs_command"] == ["mkfs.ramfs", "--yes", "-b", "8192"]
    assert (target["file_system"]["type"], target["file_system"]["features"]) == (NAME, ["Linux"])
    assert target["extra"]["file_system"] == {"seen_at": NAME}
    assert documents["mkfs"]["workload"]["tool_version"] == check["workload"]["tool_version"] == "1.25"
    assert check["workload"]["command"] == ["fsck.ramfs", "--quick"]
    assert "fsck.ramfs 1.25 --quick /dev/loop" in check["artifacts"][0]["data"]

    store = BY_NAME["mkfs_options"].store
    assert store is not None
    assert store(target) == "-b 8192"
    assert (direct_on(target, Access.READ, 8192), direct_on(target, Access.READ, 4096)) == (
        Direct.HONOURED,
        Direct.BUFFERED,
    )
    target["mount"]["options"] = ["dax", "journal"]
    facts = storage_facts(environment(), target)
    assert (facts.dax, facts.copies, direct_on(target, Access.READ, None)) == (True, 2, Direct.BUFFERED)
    assert colours([NAME, "nilfs2"]) == [1, 7]
    assert colours(["6.1", NAME]) == [1, 7]


def test_one_device_is_no_layer(tmp_path: Path) -> None:
    source = recorded("virtio_guest", tmp_path)
    assert layers(source, mounted("btrfs"), "loop2") == []
    assert states(source, mounted("btrfs"), "loop2") == []


def test_a_missing_device_and_a_balance_are_states(tmp_path: Path) -> None:
    source = recorded("btrfs_raid1", tmp_path)
    (base,) = (tmp_path / "sys/fs/btrfs").iterdir()
    before = layers(source, mounted("btrfs"), "sda")
    (base / "devinfo/2/missing").write_text("1\n")
    (base / "exclusive_operation").write_text("balance\n")
    assert states(source, mounted("btrfs"), "sda") == [
        {"kind": "btrfs", "name": None, "state": "degraded, balance", "done": None}
    ]
    assert layers(source, mounted("btrfs"), "sda") == before
