"""The stack and the target, on recorded machines and on small trees for cases that those do not have."""

from pathlib import Path
from typing import Any

import pytest

from benchagent.inventory import target
from benchagent.inventory.source import PathFacts, Source
from benchagent.inventory.target import state
from tests.agents.inventory.trees import recorded, unpack
from tests.texts import missing_in

ROOT = "29 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw"
STATUS = '{{"device": "{device}", "bytes": 9, "block_size": 4096, "file_system_size": 100, "file_system_free": 75, '
STATUS += '"files": 0, "files_free": 0}}'
DISK = "/sys/devices/pci/ata1/host0/block/sda"
DISK_TREE = f"""{DISK}/size: 2048
{DISK}/dev: 8:0
{DISK}/sda1/partition: 1
{DISK}/sda1/size: 1024
/sys/dev/block/8:1 -> ../../devices/pci/ata1/host0/block/sda/sda1
/sys/dev/block/8:0 -> ../../devices/pci/ata1/host0/block/sda
"""


def small(tmp_path: Path, mounts: list[str], paths: dict[str, str], tree: str = DISK_TREE) -> Source:
    """A machine with these mounts; `paths` maps each path to its device."""
    known = ", ".join(f'"{path}": {STATUS.format(device=device)}' for path, device in paths.items())
    table = "".join(f"| {line}\n" for line in mounts)
    return unpack(f"{tree}/proc/self/mountinfo:\n{table}/paths.json: {{{known}}}\n", tmp_path)


def kinds(found: dict[str, Any]) -> list[str]:
    return [layer["kind"] for layer in found["stack"]]


class TestRecordedMachines:
    def test_raid5_of_four_disks(self, tmp_path: Path) -> None:
        facts, before = target("/srv/data/bench", recorded("raid5_sata", tmp_path))
        assert (facts["kind"], facts["mount"]["point"]) == ("directory", "/srv/data")
        assert {"noatime", "stripe=384", "barrier", "data=ordered"} <= set(facts["mount"]["options"])
        assert kinds(facts) == ["raid"] + ["partition"] * 4 + ["disk"] * 4
        assert [layer["name"] for layer in facts["stack"][5:]] == ["sda", "sdb", "sdc", "sdd"]
        array = facts["stack"][0]
        assert (array["level"], array["chunk"], array["members"]) == ("raid5", 524288, 4)
        assert (array["layout"], array["size"]) == ("left-symmetric", 2929514496 * 512)
        assert (facts["read_ahead"], facts["scheduler"], facts["nr_requests"]) == (3145728, "none", 128)
        assert before == {
            "size": 1475849297920,
            "used": 751073566720,
            "fill": pytest.approx(0.5089, abs=1e-4),
            "files": 113792,
            "arrays": [{"kind": "raid", "name": "md0", "state": "healthy", "done": None}],
        }

    def test_lvm_on_luks_on_nvme(self, tmp_path: Path) -> None:
        facts, _ = target("/home/wanda", recorded("luks_nvme", tmp_path))
        assert kinds(facts) == ["lvm", "crypt", "partition", "disk"]
        assert facts["stack"][1]["facts"]["cipher"] == "aes-xts-plain64"
        assert facts["stack"][3]["model"] == "SAMSUNG MZVLB512HAJQ-000L7"
        assert "name" not in facts["stack"][0], "volumes are named after their owners"
        assert (facts["file_system"]["type"], facts["extra"]["file_system"]["journal_size"]) == ("ext4", 1073741824)

    @pytest.mark.parametrize(("kind", "size"), [("ext4", 300), ("xfs", 600), ("btrfs", 300)])
    def test_images_on_loop_devices(self, tmp_path: Path, kind: str, size: int) -> None:
        facts, _ = target(f"/mnt/{kind}", recorded("virtio_guest", tmp_path))
        assert (facts["kind"], facts["file_system"]["type"]) == ("image", kind)
        assert kinds(facts) == ["loop", "image", "disk"]
        loop, image, disk = facts["stack"]
        assert loop["size"] == image["size"] == size * 1024**2
        assert loop["facts"]["direct_io"] is False
        assert image["facts"]["file_system"] == "ext4"
        assert disk["name"] == "vda"
        assert facts["mount"]["point"] is None, "where an image is mounted changes from round to round"

    def test_btrfs_reads_ahead_by_its_own_setting(self, tmp_path: Path) -> None:
        found, _ = target("/mnt/btrfs", recorded("virtio_guest", tmp_path))
        assert (found["read_ahead"], found["stack"][0]["read_ahead"]) == (4 * 1024**2, 2560 * 1024)

    def test_nothing_of_a_loop_device_or_its_file_names_it(self, tmp_path: Path) -> None:
        found, _ = target("/mnt/xfs", recorded("virtio_guest", tmp_path))
        assert missing_in(str(found), "loop1", "/srv/images") == ["loop1", "/srv/images"]

    def test_memory(self, tmp_path: Path) -> None:
        found, _ = target("/dev/shm", recorded("virtio_guest", tmp_path))
        assert (found["file_system"]["type"], found["stack"]) == ("tmpfs", [{"kind": "tmpfs", "facts": {}}])
        assert (found["read_ahead"], found["scheduler"], found["provenance"]) == (None, None, {})

    def test_unreadable_features_are_marked_unknown(self, tmp_path: Path) -> None:
        found, _ = target("/", recorded("virtio_guest", tmp_path))
        assert (found["file_system"]["features"], found["provenance"]) == ([], {"/file_system/features": "unknown"})
        assert found["file_system"]["block_size"] == 4096, "statvfs knows it without a tool"


class TestSmallMachines:
    def test_a_partition(self, tmp_path: Path) -> None:
        found, _ = target("/", small(tmp_path, [ROOT], {"/": "8:1"}))
        assert kinds(found) == ["partition", "disk"]

    def test_a_chroot_that_does_not_show_its_root(self, tmp_path: Path) -> None:
        found, _ = target("/", small(tmp_path, [], {"/": "8:1"}))
        assert (found["file_system"]["type"], found["mount"]) == (None, {"point": None, "options": []})
        assert kinds(found) == ["partition", "disk"]

    def test_a_container_without_sys(self, tmp_path: Path) -> None:
        found, before = target("/", small(tmp_path, [ROOT], {"/": "8:1"}, tree=""))
        assert (found["file_system"]["type"], found["stack"]) == ("ext4", [])
        assert before == {"size": 100, "used": 25, "fill": 0.25, "files": None, "arrays": []}

    def test_an_overlay_whose_upper_directory_is_out_of_sight(self, tmp_path: Path) -> None:
        overlay = "1 0 0:50 / / rw - overlay overlay rw,lowerdir=/l,upperdir=/var/lib/docker/1/diff,workdir=/w"
        found, _ = target("/", small(tmp_path, [overlay], {"/": "0:50"}))
        assert kinds(found) == ["overlay"]
        assert found["mount"]["options"] == ["rw"]

    def test_an_overlay_that_is_followed(self, tmp_path: Path) -> None:
        mounts = [ROOT, "40 29 0:50 / /merged rw - overlay overlay rw,lowerdir=/l,upperdir=/up,workdir=/w"]
        found, _ = target("/merged", small(tmp_path, mounts, {"/merged": "0:50", "/up": "8:1"}))
        assert kinds(found) == ["overlay", "partition", "disk"]

    def test_nfs_tells_neither_server_nor_addresses(self, tmp_path: Path) -> None:
        nfs = "41 29 0:60 / /mnt/n rw - nfs4 filer.example.org:/export rw,vers=4.2,addr=192.0.2.1"
        bdi = "/sys/class/bdi/0:60/read_ahead_kb: 128\n"
        facts, _ = target("/mnt/n", small(tmp_path, [ROOT, nfs], {"/mnt/n": "0:60"}, DISK_TREE + bdi))
        (layer,) = facts["stack"]
        assert (layer["kind"], layer["facts"]["protocol"]) == ("network", "nfs4")
        assert facts["read_ahead"] == 131072
        assert missing_in(str(facts), "filer", "192.0.2.1") == ["filer", "192.0.2.1"]

    def test_an_image_in_another_mount_namespace(self, tmp_path: Path) -> None:
        loop = "/sys/devices/virtual/block/loop0"
        tree = f"{loop}/size: 8\n{loop}/loop/backing_file: /gone.img (deleted)\n"
        tree += "/sys/dev/block/7:0 -> ../../devices/virtual/block/loop0\n"
        mount = "41 29 7:0 / /mnt rw - xfs /dev/loop0 rw"
        facts, _ = target("/mnt", small(tmp_path, [ROOT, mount], {"/mnt": "7:0"}, DISK_TREE + tree))
        assert kinds(facts) == ["loop", "image"]
        assert facts["stack"][1]["facts"] == {"file_system": None, "mount_options": None}

    def test_a_disk_under_two_volumes_is_listed_once(self, tmp_path: Path) -> None:
        volumes = "/sys/devices/virtual/block"
        tree = DISK_TREE
        for name in ("dm-0", "dm-1"):
            tree += f"{volumes}/{name}/dm/name: {name}\n{volumes}/{name}/size: 8\n"
            tree += f"{volumes}/{name}/slaves/sda1 -> ../../../../pci/ata1/host0/block/sda/sda1\n"
            tree += f"{volumes}/dm-2/slaves/{name} -> ../../{name}\n"
        tree += f"{volumes}/dm-2/dm/name: top\n{volumes}/dm-2/size: 8\n"
        tree += "/sys/dev/block/254:2 -> ../../devices/virtual/block/dm-2\n"
        mount = "41 29 254:2 / /mnt rw - ext4 /dev/dm-2 rw"
        facts, _ = target("/mnt", small(tmp_path, [ROOT, mount], {"/mnt": "254:2"}, tree))
        assert kinds(facts) == ["mapped", "mapped", "mapped", "partition", "disk"]

    def test_more_layers_than_the_contract_takes(self, tmp_path: Path) -> None:
        md = "/sys/devices/virtual/block/md0"
        tree = f"{md}/size: 8\n{md}/md/level: raid6\n{md}/md/raid_disks: 70\n"
        tree += "/sys/dev/block/9:0 -> ../../devices/virtual/block/md0\n"
        for number in range(70):
            disk = f"/sys/devices/pci/host0/block/sd{number}"
            tree += f"{disk}/size: 8\n{md}/slaves/sd{number} -> ../../../../pci/host0/block/sd{number}\n"
        mount = "41 29 9:0 / /mnt rw - xfs /dev/md0 rw"
        facts, _ = target("/mnt", small(tmp_path, [ROOT, mount], {"/mnt": "9:0"}, tree))
        assert len(facts["stack"]) == 64
        assert (facts["extra"]["layers_left_out"], facts["stack"][0]["members"]) == (7, 70)

    def test_a_path_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError, match="/nowhere"):
            target("/nowhere", small(tmp_path, [ROOT], {}))


def test_a_file_system_without_size_has_no_fill() -> None:
    nothing = PathFacts("0:1", bytes=0, block_size=4096, file_system_size=0, file_system_free=0, files=0, files_free=0)
    assert state(nothing) == {"size": 0, "used": 0, "fill": None, "files": None}
