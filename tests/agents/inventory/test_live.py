"""The inventory of this machine compared with its own tools, for real file systems on loop devices."""

import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchagent.inventory import Source, target

GEOMETRY = {"ext4": ["-E", "stride=16,stripe-width=48"], "xfs": ["-d", "su=64k,sw=3"], "btrfs": []}
SIZE = {"ext4": 64, "xfs": 1024, "btrfs": 128}  # MiB, sparse; xfs needs a log of 64 MiB
MOUNT = {"ext4": "noatime,data=writeback", "xfs": "noatime,logbsize=64k", "btrfs": "noatime,compress=zstd"}
ON_A_LOOP = [
    pytest.param("ext4", marks=pytest.mark.needs("mkfs.ext4", package="e2fsprogs")),
    pytest.param("xfs", marks=pytest.mark.needs("mkfs.xfs", package="xfsprogs")),
    pytest.param("btrfs", marks=pytest.mark.needs("mkfs.btrfs", package="btrfs-progs")),
]


def run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@contextmanager
def mounted(kind: str, directory: Path) -> Iterator[Path]:
    """A fresh file system on an image file in `directory`, mounted; afterwards unmounted and detached."""
    directory.mkdir()
    image, point = directory / "image", directory / "mnt"
    point.mkdir()
    with image.open("wb") as file:
        file.truncate(SIZE[kind] * 1024**2)
    run(f"mkfs.{kind}", "-q", *GEOMETRY[kind], str(image))
    run("mount", "-o", f"loop,{MOUNT[kind]}", str(image), str(point))
    # A loop device keeps the read-ahead of the last file that it was for.
    run("blockdev", "--setra", "256", run("findmnt", "-no", "SOURCE", "--nofsroot", str(point)))
    try:
        yield point
    finally:
        run("umount", str(point))


@pytest.mark.needs("root")
@pytest.mark.needs("loop devices")
@pytest.mark.parametrize("kind", ON_A_LOOP)
class TestOnALoopDevice:
    def test_facts_are_those_of_the_systems_own_tools(self, kind: str, tmp_path: Path) -> None:
        with mounted(kind, tmp_path / "one") as point:
            facts, before = target(str(point), Source())
            device = run("findmnt", "-no", "SOURCE", str(point))
            queue = json.loads(run("lsblk", "--json", "--bytes", "-o", "SIZE,SCHED,RA,RQ-SIZE", device))[
                "blockdevices"
            ][0]
            options = run("findmnt", "-no", "OPTIONS", str(point)).split(",")
            used = run("df", "-B1", "--output=used", str(point)).split()[-1]
        assert (facts["kind"], facts["file_system"]["type"]) == ("image", kind)
        loop = facts["stack"][0]
        assert loop["kind"] == "loop"
        assert (loop["size"], loop["scheduler"], loop["nr_requests"]) == (
            queue["size"],
            queue["sched"],
            queue["rq-size"],
        )
        assert loop["read_ahead"] == queue["ra"] * 1024
        shown = [option for option in options if not option.startswith("subvol")]
        assert facts["mount"]["options"][: len(shown)] == shown
        assert before["used"] == int(used)

    def test_geometry_is_what_mkfs_was_told(self, kind: str, tmp_path: Path) -> None:
        with mounted(kind, tmp_path / "one") as point:
            made = target(str(point), Source())[0]["file_system"]
            block_size = int(run("stat", "-fc", "%S", str(point)))
        assert made["block_size"] == block_size
        assert made["features"]
        if kind == "ext4":
            assert (made["stride"], made["stripe_width"]) == (16 * block_size, 48 * block_size)
        elif kind == "xfs":
            assert (made["stride"], made["stripe_width"]) == (65536, 3 * 65536)

    def test_the_same_settings_twice_are_the_same_target(self, kind: str, tmp_path: Path) -> None:
        """The target is the same on another image, loop device and mount point, with other UUIDs."""
        with mounted(kind, tmp_path / "one") as one, mounted(kind, tmp_path / "two") as two:
            assert target(str(one), Source())[0] == target(str(two), Source())[0]

    def test_writing_changes_the_state_and_not_the_target(self, kind: str, tmp_path: Path) -> None:
        with mounted(kind, tmp_path / "one") as point:
            settings, before = target(str(point), Source())
            (point / "file").write_bytes(b"x" * 4_000_000)
            run("sync", "-f", str(point))
            again, after = target(str(point), Source())
        assert again == settings
        assert after["used"] - before["used"] >= 4_000_000 or kind == "btrfs"  # btrfs compresses it
        assert after["fill"] >= before["fill"]


@pytest.mark.needs("root")
def test_memory_as_a_target(tmp_path: Path) -> None:
    run("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(tmp_path))
    try:
        facts, before = target(str(tmp_path), Source())
    finally:
        run("umount", str(tmp_path))
    assert facts["stack"] == [{"kind": "tmpfs", "facts": {}}]
    assert "size=8192k" in facts["mount"]["options"]
    assert before["size"] == 8 * 1024**2


@contextmanager
def attached(directory: Path, *mebibytes: int) -> Iterator[list[str]]:
    """Loop devices of these sizes; afterwards whatever is mounted at mnt in the directory is unmounted."""
    (directory / "mnt").mkdir()
    loops: list[str] = []
    try:
        for size in mebibytes:
            with (directory / f"image{len(loops)}").open("wb") as file:
                file.truncate(size * 1024**2)
            loops.append(run("losetup", "-f", "--show", file.name))
        yield loops
    finally:
        subprocess.run(["umount", str(directory / "mnt")], check=False)
        for device in loops:
            run("losetup", "-d", device)


@pytest.mark.needs("root")
@pytest.mark.needs("loop devices")
@pytest.mark.needs("mkfs.btrfs", package="btrfs-progs")
def test_btrfs_over_two_devices(tmp_path: Path) -> None:
    """The directories of /sys/fs/btrfs are those of the recorded machine."""
    with attached(tmp_path, 128, 128) as loops:
        run("mkfs.btrfs", "-q", "-d", "raid1", "-m", "raid1", *loops)
        run("mount", "-o", ",".join(f"device={device}" for device in loops), loops[0], str(tmp_path / "mnt"))
        facts, before = target(str(tmp_path / "mnt"), Source())
    assert [layer["kind"] for layer in facts["stack"]].count("loop") == 2
    layer = facts["stack"][0]
    assert (layer["kind"], layer["level"], layer["members"]) == ("btrfs", "raid1", 2)
    assert layer["facts"] == {"metadata_profile": "raid1"}
    assert {"kind": "btrfs", "name": None, "state": "healthy", "done": None} in before["arrays"]
    assert (facts["kind"], facts["mount"]["point"]) == ("image", None)


@pytest.mark.needs("root")
@pytest.mark.needs("loop devices")
@pytest.mark.parametrize("kind", ON_A_LOOP[:2])
def test_a_journal_on_another_device_is_a_layer(kind: str, tmp_path: Path) -> None:
    with attached(tmp_path, 96, 400) as (side, data):
        if kind == "ext4":
            run("mke2fs", "-q", "-O", "journal_dev", "-b", "4096", side)
            run("mkfs.ext4", "-q", "-b", "4096", "-J", f"device={side}", data)
        else:
            run("mkfs.xfs", "-q", "-l", f"logdev={side}", data)
        run("mount", *(("-o", f"logdev={side}") if kind == "xfs" else ()), data, str(tmp_path / "mnt"))
        facts, _ = target(str(tmp_path / "mnt"), Source())
        told = run("dumpe2fs", "-h", data) if kind == "ext4" else run("xfs_info", str(tmp_path / "mnt"))
        size, number = run("lsblk", "--bytes", "--nodeps", "-no", "SIZE,MAJ:MIN", side).split()
    major, minor = map(int, number.split(":"))
    assert re.search(rf"Journal device:\s+0x{major:02x}{minor:02x}$|^log +={side} ", told, re.MULTILINE)
    roles = {layer["facts"].get("role"): layer for layer in facts["stack"] if layer["kind"] == "loop"}
    assert list(roles) == [None, "journal" if kind == "ext4" else "log"]
    assert list(roles.values())[1]["size"] == int(size)
    assert "loop" not in str(facts["mount"])
