"""Tunables on the queues of real loop devices: set before mkfs, verified, put back exactly."""

from pathlib import Path

import pytest

from benchagent import inventory
from benchagent.errors import NotUndone, PreparationError
from benchagent.inventory import Source
from benchagent.plan.model import Target
from benchagent.targets import loop, tunables
from benchagent.targets.devices import look_at
from benchagent.targets.preparable import why_not_prepared
from benchagent.targets.prepare import prepared
from benchagent.targets.work_directory import WorkDirectory
from tests.agents.inventory.trees import unpack
from tests.agents.support.targets import MIB, partition, queue, settings
from tests.agents.targets.test_prepare import IMAGES, image, loop_devices, no_tick, root
from tests.support.waiting import wait_until

pytestmark = [root, loop_devices]
READ_AHEAD = 8 * MIB


def effective(place: Path) -> tuple[object, object, object]:
    """The tunables of a mounted target in a document."""
    target, _ = inventory.target(str(place), Source())
    return target["read_ahead"], target["scheduler"], target["nr_requests"]


@pytest.mark.parametrize("file_system", IMAGES)
def test_an_image_has_its_tunables_and_the_loop_device_gets_its_own_back(work: WorkDirectory, file_system: str) -> None:
    target = image(file_system, read_ahead=READ_AHEAD, scheduler="mq-deadline", nr_requests=64)
    with prepared(target, work, no_tick) as prepared_target:
        [device] = loop.loops_under(work.path)
        [entry] = work.journal.entries
        assert entry["path"] == str(queue(str(device)).resolve())
        assert effective(prepared_target.directory) == (READ_AHEAD, "mq-deadline", 64)
        assert prepared_target.empty_cache is not None
        prepared_target.empty_cache()
        assert effective(prepared_target.directory) == (READ_AHEAD, "mq-deadline", 64)
    # Another test session may now use the loop device and tune it for a moment.
    wait_until(lambda: tunables.remember(queue(str(device))) == entry["old"])
    assert work.journal.entries == ()


def test_what_another_scheduler_resets_is_put_back_too(device: tuple[str, str], work: WorkDirectory) -> None:
    """The scheduler's own settings and its number of requests are restored with it."""
    path, node = device
    directory = queue(node)
    (directory / "scheduler").write_text("mq-deadline")
    try:
        (directory / "nr_requests").write_text("100")
        (directory / "iosched" / "read_expire").write_text("800")
        before = tunables.remember(directory)
        work.agreed = {path: look_at(path, work.source)}
        target = Target("t", "device", path, file_system="ext4", scheduler="none")
        with prepared(target, work, no_tick):
            assert settings(directory)["scheduler"].startswith("[none]")
            assert not (directory / "iosched" / "read_expire").exists()
        assert before["iosched/read_expire"] == "800"
        assert tunables.remember(directory) == before
    finally:
        (directory / "scheduler").write_text("none")


def test_a_partition_has_the_queue_of_its_disk(device: tuple[str, str]) -> None:
    path, node = device
    with partition(node) as part:
        source = Source()
        target = Target("t", "device", path, read_ahead=READ_AHEAD, scheduler="kyber")
        by_queue = tunables.settings(target, [source.resolve(f"/sys/class/block/{Path(part).name}")], source)
        assert by_queue == {queue(node).resolve(): {"scheduler": "kyber", "read_ahead_kb": "8192"}}


def test_an_array_reads_ahead_and_its_disks_schedule(tmp_path: Path) -> None:
    """Arrays have no queue of requests. (A recorded tree, because few machines have a spare array.)"""
    source = unpack(
        """/sys/devices/virtual/block/md0/size: 9
/sys/devices/virtual/block/md0/slaves/sda1 -> ../../../../pci/block/sda/sda1
/sys/devices/virtual/block/md0/slaves/sdb -> ../../../../pci/block/sdb
/sys/devices/pci/block/sda/size: 9
/sys/devices/pci/block/sda/sda1/size: 8
/sys/devices/pci/block/sda/sda1/partition: 1
/sys/devices/pci/block/sdb/size: 9
""",
        tmp_path,
    )
    target = Target("t", "device", scheduler="none", nr_requests=4, read_ahead=MIB)
    by_queue = tunables.settings(target, ["/sys/devices/virtual/block/md0"], source)
    assert {str(path): values for path, values in by_queue.items()} == {
        "/sys/devices/pci/block/sda/queue": {"scheduler": "none", "nr_requests": "4"},
        "/sys/devices/pci/block/sdb/queue": {"scheduler": "none", "nr_requests": "4"},
        "/sys/devices/virtual/block/md0/queue": {"read_ahead_kb": "1024"},
    }


@pytest.mark.parametrize("file_system", ["ext4", "btrfs"])
def test_a_directory_has_the_tunables_of_what_is_below_it(work: WorkDirectory, file_system: str) -> None:
    with prepared(image(file_system), work, no_tick) as below:
        before = effective(below.directory)
        target = Target("d", "directory", str(below.directory), read_ahead=READ_AHEAD, scheduler="mq-deadline")
        assert why_not_prepared(target, work) is None
        with prepared(target, work, no_tick) as prepared_target:
            assert effective(prepared_target.directory)[:2] == (READ_AHEAD, "mq-deadline")
        assert effective(below.directory) == before


def test_a_directory_in_memory_has_none(work: WorkDirectory) -> None:
    target = Target("d", "directory", "/dev/shm", scheduler="none")
    assert why_not_prepared(target, work) == (
        "below /dev/shm is no block device whose read-ahead, scheduler or nr_requests could be set"
    )


def test_a_scheduler_that_the_kernel_does_not_have_is_named(work: WorkDirectory) -> None:
    with prepared(image(), work, no_tick):  # provides a loop device
        why = why_not_prepared(image(scheduler="cfq"), work)
    assert why is not None
    assert why.startswith("this kernel does not have the scheduler cfq for loop")


def test_what_the_kernel_rounds_is_told(work: WorkDirectory) -> None:
    target = image(scheduler="mq-deadline", nr_requests=1, read_ahead=5 * 1024)
    with prepared(target, work, no_tick) as prepared_target:
        [device] = loop.loops_under(work.path)
        now = settings(queue(str(device)))
        assert prepared_target.notes == (
            f"nr_requests of {device.name}: 1 became {now['nr_requests']}",
            f"read_ahead_kb of {device.name}: 5 became 4",
        )


def test_what_the_kernel_refuses_is_said_and_everything_put_back(work: WorkDirectory) -> None:
    target = image(scheduler="mq-deadline", read_ahead=2**80)
    with pytest.raises(PreparationError, match="The kernel refuses read_ahead_kb"), prepared(target, work, no_tick):
        pass
    assert work.journal.entries == ()
    assert loop.loops_under(work.path) == []


def test_a_device_that_is_gone_has_nothing_to_put_back() -> None:
    assert tunables.restore(Path("/sys/block/gone/queue"), {"scheduler": "none"}) == []


def test_what_cannot_be_put_back_is_named_after_the_rest(device: tuple[str, str]) -> None:
    directory = queue(device[1])
    before = tunables.remember(directory)
    (directory / "read_ahead_kb").write_text("64")
    with pytest.raises(NotUndone, match="scheduler was cfq and cannot be put back"):
        tunables.restore(directory, {**before, "scheduler": "cfq"})
    assert tunables.remember(directory) == before
