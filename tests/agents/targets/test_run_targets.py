"""Complete runs on targets with settings: their documents, and the restored settings."""

from pathlib import Path

import pytest

from benchagent.targets.devices import signatures
from tests.agents.measuring.test_run import Agent, agent, cc, loop_devices, root, with_fsload
from tests.agents.support.targets import block_device, queue, settings

__all__ = ["agent", "with_fsload"]  # fixtures
pytestmark = [root, loop_devices, cc]

WORKLOAD = """
[[workloads]]
tool = "fsload"
file_sizes = ["1 MiB"]
record_sizes = ["64 KiB"]
tests = ["write", "read"]
"""


def test_a_device_with_tunables_and_tune2fs_in_two_rounds(with_fsload: Agent, in_memory: Path) -> None:
    with block_device(in_memory) as (path, node):
        before = settings(queue(node))
        target = f"""
[[targets]]
kind = "device"
path = "{path}"
file_system = "ext4"
mount_options = ["noatime", "data=writeback"]
tune2fs = ["-m", "0"]
read_ahead = "1 MiB"
scheduler = "mq-deadline"
nr_requests = 2
"""
        done = with_fsload.run("rounds = 2\n" + target + WORKLOAD, "--yes-wipe", Path(path).name)
        assert done.returncode == 0, done.stderr
        assert settings(queue(node)) == before
        assert node not in Path("/proc/mounts").read_text()
        assert [line.split()[0] for line in signatures(node)] == ["ext4"]
    documents = with_fsload.documents()
    assert sorted(documents) == ["ext4/fsload", "ext4/mkfs"]
    for document in documents.values():
        target_found = document.target
        assert (target_found.kind, target_found.read_ahead) == ("device", 2**20)
        assert (target_found.scheduler, target_found.mount.point) == ("mq-deadline", None)
        assert {"noatime", "data=writeback"} <= set(target_found.mount.options)
        assert target_found.file_system.mkfs_command == ["mkfs.ext4", "-F"]
        assert target_found.extra["tune2fs_command"] == ["tune2fs", "-m", "0"]
        assert target_found.extra["rounded_by_the_kernel"][0].endswith("2 became 4")
        assert target_found.nr_requests == 4
        assert (document.protocol.prepare, len(document.rounds)) == ("mkfs", 2)


def test_an_aged_image_is_restored_before_each_round(with_fsload: Agent, in_memory: Path) -> None:
    target = """
[[targets]]
kind = "image"
size = "256 MiB"
file_system = "ext4"
[targets.age]
profile = "developer"
fullness = 0.2
overwrites = 0.3
"""
    check = '[[workloads]]\ntool = "maintenance"\ntests = ["fsck_forced"]\nfill = "64 MiB"\n'
    plan = "rounds = 2\nseed = 5\n" + target + WORKLOAD + check
    done = with_fsload.run(plan, "--work-dir", str(in_memory / "work"))
    assert done.returncode == 0, done.stderr
    document = with_fsload.documents()["ext4/fsload"]
    filled = with_fsload.documents()["ext4/maintenance"].state_before
    assert filled.fill == pytest.approx((document.state_before.fill or 0) + 0.27, abs=0.03)
    assert filled.aging == document.state_before.aging
    assert document.protocol.prepare == "restore"
    aging = document.state_before.aging
    assert aging is not None
    assert (aging["profile"], aging["seed"]) == ("developer", 5)
    assert document.state_before.fill == pytest.approx(0.2, abs=0.1)
    mkfs = with_fsload.documents()["ext4/mkfs"]
    assert {result.test for result in mkfs.results} == {"mount"}


@pytest.mark.needs("memory controller", package=None)
def test_a_memory_limit_is_what_the_documents_call_usable(with_fsload: Agent) -> None:
    done = with_fsload.run('rounds = 1\nmemory = "64 MiB"\n[[targets]]\nkind = "directory"\n' + WORKLOAD)
    assert done.returncode == 0, done.stderr
    assert with_fsload.documents()["directory/fsload"].environment.memory.usable == 2**26


def test_a_refused_option_skips_its_points_only(with_fsload: Agent) -> None:
    target = """
[[targets]]
kind = "image"
size = "128 MiB"
file_system = "ext4"
[targets.vary]
mount_options = {default = ["noatime"], wrong = ["noatime", "nosuch"]}
"""
    done = with_fsload.run("rounds = 1\n" + target + WORKLOAD)
    assert done.returncode == 0, done.stderr
    why = "this kernel refuses the mount option nosuch for ext4"
    assert f"Skipped ext4-wrong/mkfs, ext4-wrong/fsload: {why}." in done.stderr
    assert sorted(with_fsload.documents()) == ["ext4/fsload", "ext4/mkfs"]


def test_a_refused_device_skips_its_points_and_says_why(with_fsload: Agent, in_memory: Path) -> None:
    target = '[[targets]]\nkind = "device"\npath = "/dev/disk/by-id/ata-none"\nfile_system = "ext4"\n'
    done = with_fsload.run("rounds = 1\n" + target + WORKLOAD, "--yes-wipe", "ata-none")
    assert done.returncode == 10
    assert "/dev/disk/by-id/ata-none: No such file or directory" in done.stderr
