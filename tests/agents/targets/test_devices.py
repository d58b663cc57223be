"""Block devices: every reason not to format one, on real loop devices; and the preparation of the others."""

import os
import stat
from pathlib import Path

import pytest

from benchagent.errors import PreparationError
from benchagent.plan.model import Target
from benchagent.targets import loop
from benchagent.targets.devices import BY_ID, Device, look_at, signatures, why_not_format
from benchagent.targets.loop import tool
from benchagent.targets.preparable import why_not_prepared
from benchagent.targets.prepare import prepared
from benchagent.targets.work_directory import WorkDirectory
from tests.agents.inventory.trees import unpack
from tests.agents.support.targets import block_device, partition
from tests.agents.targets.test_prepare import in_kernel, loop_devices, no_tick, root

pytestmark = [root, loop_devices]
mapper = pytest.mark.needs("device mapper", package=None)


@pytest.fixture
def point(tmp_path: Path) -> Path:
    """A mount point."""
    (tmp_path / "point").mkdir()
    return tmp_path / "point"


def target(path: str, **fields: object) -> Target:
    return Target("disk", "device", path, file_system="ext4", **fields)


def refusal(path: str, work: WorkDirectory, **fields: object) -> str:
    """The reason to refuse the device, the same before anything starts and right before mkfs."""
    why = why_not_prepared(target(path, **fields), work)
    assert why is not None
    work.agreed.setdefault(path, Device(path, "", "", 0, None, ()))
    with pytest.raises(PreparationError) as late, prepared(target(path, **fields), work, no_tick):
        pass
    assert os.listdir(work.path) == ["benchagent.lock"]
    assert str(late.value) in (why, f"{path} is another device now than the one that was agreed to")
    return why


def test_a_device_is_formatted_mounted_and_left_unmounted(device: tuple[str, str], work: WorkDirectory) -> None:
    path, node = device
    work.agreed = {path: look_at(path, work.source)}
    for _ in range(2):  # the second time, the device holds the agent's own file system
        assert why_not_prepared(target(path), work) is None
        with prepared(target(path, mount_options=("noatime",)), work, no_tick) as prepared_target:
            assert in_kernel(prepared_target.directory) == "ext4"
            assert [step.test for step in prepared_target.steps] == ["mkfs", "mount"]
            assert prepared_target.steps[0].outcome.command == ("mkfs.ext4", "-F", node)
            (prepared_target.directory / "file").write_text("x")
        assert loop.mounts_under(work.path) == []
    assert [line.split()[0] for line in signatures(node)] == ["ext4"]


def test_one_file_system_leaves_nothing_for_the_next(device: tuple[str, str], work: WorkDirectory) -> None:
    """mkfs.ext4 does not overwrite the signature of btrfs."""
    path, node = device
    work.agreed = {path: look_at(path, work.source)}
    for file_system in ("btrfs", "ext4"):
        with prepared(Target("disk", "device", path, file_system=file_system), work, no_tick):
            assert [line.split()[0] for line in signatures(node)] == [file_system]


def test_a_remount_empties_the_cache_of_a_device(device: tuple[str, str], work: WorkDirectory) -> None:
    path, node = device
    work.agreed = {path: look_at(path, work.source)}
    with prepared(target(path), work, no_tick) as prepared_target:
        (prepared_target.directory / "file").write_bytes(os.urandom(2**20))
        assert prepared_target.empty_cache is not None
        prepared_target.empty_cache()
        read = Path(f"/sys/block/{Path(node).name}/stat")
        before = int(read.read_text().split()[2])
        assert len((prepared_target.directory / "file").read_bytes()) == 2**20
        assert (int(read.read_text().split()[2]) - before) * 512 >= 2**20


def test_one_that_nobody_agreed_to_is_not_formatted(device: tuple[str, str], work: WorkDirectory) -> None:
    path, node = device
    with pytest.raises(PreparationError, match="was not confirmed"), prepared(target(path), work, no_tick):
        pass
    assert signatures(node) == ()


def test_another_device_under_the_agreed_name_is_not_formatted(device: tuple[str, str], work: WorkDirectory) -> None:
    path, node = device
    work.agreed = {path: Device(path, node, "", 1, "another", ())}
    with pytest.raises(PreparationError, match="is another device now"), prepared(target(path), work, no_tick):
        pass
    assert signatures(node) == ()


@pytest.mark.parametrize("path", ["/dev/loop0", "/dev/disk/by-id/../../loop0", "/dev/disk/by-id/", "loop0"])
def test_only_stable_names_are_taken(path: str, work: WorkDirectory) -> None:
    assert "where names stay with their device" in refusal(path, work)


def test_a_name_that_is_not_there(device: tuple[str, str], work: WorkDirectory) -> None:
    assert "`ls -l /dev/disk/by-id` lists what this machine has" in refusal(str(BY_ID / "ata-none"), work)


def test_a_name_of_something_else(device: tuple[str, str], work: WorkDirectory) -> None:
    Path(device[0]).unlink()
    Path(device[0]).symlink_to("/dev/null")
    assert refusal(device[0], work).endswith("is not a block device")


def test_a_mounted_one(device: tuple[str, str], work: WorkDirectory, point: Path) -> None:
    path, node = device
    tool("mkfs.ext4", "-q", node)
    tool("mount", node, str(point))
    try:
        assert refusal(path, work, wipe=True) == f"{path} is in use: {node} is mounted at {point}; unmount it first"
    finally:
        loop.unmount(point)
    work.reasons.clear()
    assert why_not_prepared(target(path, wipe=True), work) is None


def test_one_with_a_mounted_partition(device: tuple[str, str], work: WorkDirectory, point: Path) -> None:
    path, node = device
    with partition(node) as part:
        tool("mkfs.ext4", "-q", part)
        tool("mount", part, str(point))
        try:
            assert f"{part} is mounted at {point}" in refusal(path, work, wipe=True)
        finally:
            loop.unmount(point)


def test_a_partition_of_a_mounted_disk(device: tuple[str, str], work: WorkDirectory, point: Path) -> None:
    path, node = device
    tool("mkfs.ext4", "-q", node)
    with partition(node) as part:
        tool("mount", node, str(point))
        Path(path).unlink()
        Path(path).symlink_to(part)
        try:
            assert "is in use (Device or resource busy)" in refusal(path, work, wipe=True)
        finally:
            loop.unmount(point)


def test_swap_space(device: tuple[str, str], work: WorkDirectory) -> None:
    path, node = device
    tool("mkswap", node)
    tool("swapon", node)
    try:
        assert f"{node} is swap space; `swapoff {node}` first" in refusal(path, work, wipe=True)
    finally:
        tool("swapoff", node)


def test_one_below_a_loop_device(device: tuple[str, str], work: WorkDirectory) -> None:
    path, node = device
    upper = loop.attach(Path(node))
    try:
        assert f"the loop device {upper} lies on {node}" in refusal(path, work, wipe=True)
    finally:
        loop.detach(upper)


def test_one_below_a_loop_device_that_was_attached_by_another_node(
    device: tuple[str, str], work: WorkDirectory, tmp_path: Path
) -> None:
    path, node = device
    elsewhere = tmp_path / "sdb"  # as in a container, whose names the agent does not have
    os.mknod(elsewhere, stat.S_IFBLK | 0o600, os.stat(node).st_rdev)
    upper = loop.attach(elsewhere)
    try:
        assert f"the loop device {upper} lies on {node}" in refusal(path, work)
    finally:
        loop.detach(upper)


def test_a_file_that_another_loop_device_has_too(device: tuple[str, str], work: WorkDirectory) -> None:
    path, node = device
    other = loop.attach(Path(Path(f"/sys/block/{Path(node).name}/loop/backing_file").read_text().strip()))
    try:
        assert f"the loop device {other} lies on the file of {node}" in refusal(path, work, wipe=True)
    finally:
        loop.detach(other)


@mapper
def test_one_below_a_mapped_device(device: tuple[str, str], work: WorkDirectory) -> None:
    path, node = device
    tool("dmsetup", "create", "benchagent-test", "--table", f"0 2048 linear {node} 0")
    try:
        assert "(benchagent-test) is built on it; take that apart first" in refusal(path, work, wipe=True)
    finally:
        tool("dmsetup", "remove", "benchagent-test")


def test_one_whose_partition_is_in_an_array(device: tuple[str, str], tmp_path: Path) -> None:
    """A tree replaces /sys, because few machines have a spare array."""
    path, node = device
    number = os.stat(node).st_rdev
    disk = f"/sys/devices/pci/block/{Path(node).name}"
    source = unpack(
        f"""/sys/dev/block/{os.major(number)}:{os.minor(number)} -> ../../devices/pci/block/{Path(node).name}
{disk}/size: 9
{disk}/part1/partition: 1
{disk}/part1/holders/md7 -> ../../../../../virtual/block/md7
/sys/devices/virtual/block/md7/md/level: raid5
""",
        tmp_path / "tree",
    )
    with pytest.raises(PreparationError, match=r"in use: /dev/md7 \(raid5\) is built on it; take that apart first"):
        look_at(path, source)


def test_one_that_a_program_holds(device: tuple[str, str], work: WorkDirectory) -> None:
    path, node = device
    held = os.open(node, os.O_RDONLY | os.O_EXCL)
    try:
        assert f"`lsblk {node}` and `fuser -v {node}` may say more" in refusal(path, work, wipe=True)
    finally:
        os.close(held)


def test_a_read_only_one(device: tuple[str, str], work: WorkDirectory) -> None:
    path, node = device
    tool("blockdev", "--setro", node)
    try:
        assert refusal(path, work, wipe=True) == f"{path} is read-only"
    finally:
        tool("blockdev", "--setrw", node)


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (("mkfs.ext4", "-q"), "ext4"),
        (("mkfs.xfs", "-q", "-f"), "xfs"),
        (("mkfs.btrfs", "-q", "-f"), "btrfs"),
        (("mkswap",), "swap"),
    ],
)
def test_what_is_known_is_not_destroyed_unless_the_plan_says_so(
    tmp_path: Path, work: WorkDirectory, make: tuple[str, ...], kind: str
) -> None:
    with block_device(tmp_path, 320 * 2**20) as (path, node):
        tool(*make, node)
        before = signatures(node)
        work.agreed = {path: look_at(path, work.source)}
        why = refusal(path, work)
        assert why.startswith(f"{path} holds {kind} ")
        assert why.endswith("say `wipe = true` in the plan")
        assert signatures(node) == before
        with prepared(target(path, wipe=True), work, no_tick) as prepared_target:
            assert in_kernel(prepared_target.directory) == "ext4"


def test_a_label_with_a_comma(device: tuple[str, str]) -> None:
    _, node = device
    tool("mkfs.ext4", "-q", "-L", "a,b", "-U", "4bce2c0e-f36d-4161-99a6-d0822b178142", node)
    assert signatures(node) == ("ext4 4bce2c0e-f36d-4161-99a6-d0822b178142",)


def test_a_partition_table_is_known(device: tuple[str, str], work: WorkDirectory) -> None:
    path, node = device
    with open(node, "r+b") as disk:
        disk.seek(446)
        disk.write(b"\0\0\0\0\x83\0\0\0\0\x08\0\0\0\0\x02\0")  # type 0x83, from sector 2048, 131072 sectors
        disk.seek(510)
        disk.write(b"\x55\xaa")
    work.agreed = {path: look_at(path, work.source)}
    assert f"{path} holds dos." in refusal(path, work)


def test_what_came_between_two_visits_is_not_ours(device: tuple[str, str], work: WorkDirectory) -> None:
    path, node = device
    work.agreed = {path: look_at(path, work.source)}
    with prepared(target(path), work, no_tick):
        pass
    tool("mkfs.ext4", "-q", "-F", node)
    assert f"{path} holds ext4 " in refusal(path, work)


def test_the_model_is_that_of_the_disk() -> None:
    device = Device("/dev/disk/by-id/ata-x", "/dev/sda1", "", 1, "WDC WD20", ("ext4 1",))
    assert device.password == "WDC WD20"
    assert Device("/dev/disk/by-id/ata-x", "/dev/vda", "", 1, None, ()).password == "ata-x"
    assert why_not_format(device, wipe=False, ours=("ext4 1",)) is None
    assert why_not_format(device, wipe=False, ours=("ext4 2",)) is not None


def test_a_model_is_read_from_sysfs(tmp_path: Path, device: tuple[str, str]) -> None:
    path, node = device
    number, name = os.stat(node).st_rdev, Path(node).name
    source = unpack(
        f"""/sys/dev/block/{os.major(number)}:{os.minor(number)} -> ../../devices/pci/block/{name}/{name}p1
/sys/devices/pci/block/{name}/device/model: WDC WD20EFRX-68E
/sys/devices/pci/block/{name}/{name}p1/partition: 1
/sys/devices/pci/block/{name}/{name}p1/size: 4096
""",
        tmp_path / "tree",
    )
    disk = look_at(path, source)
    assert (disk.model, disk.size) == ("WDC WD20EFRX-68E", 4096 * 512)
