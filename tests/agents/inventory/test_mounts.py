from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.inventory.mounts import MountInfo, effective_options, mount_of, parse_mountinfo

ROOT = "29 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=remount-ro"


def mounts(*lines: str) -> list[MountInfo]:
    return parse_mountinfo("\n".join(lines) + "\n")


def test_a_line_in_full() -> None:
    line = "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 propagate_from:2 - ext3 /dev/root rw,errors=continue"  # proc(5)
    assert mounts(line) == [
        MountInfo(
            id=36,
            parent=35,
            device="98:0",
            root="/mnt1",
            point="/mnt2",
            options=["rw", "noatime"],
            type="ext3",
            source="/dev/root",
            super_options=["rw", "errors=continue"],
        )
    ]


def test_without_optional_fields() -> None:
    assert mounts("22 27 0:21 / /proc rw,relatime - proc proc rw")[0].type == "proc"


def test_blanks_are_escaped_in_octal() -> None:
    assert mounts("36 35 8:1 / /mnt/my\\040disk\\134x rw - ext4 /dev/sda1 rw")[0].point == "/mnt/my disk\\x"


@pytest.mark.parametrize("line", ["", "garbage", "a b c d e f - ext4 x rw", "1 2 3:4 / / rw ext4 x rw"])
def test_other_lines_are_passed_over(line: str) -> None:
    assert mounts(line) == []


class TestMountOf:
    def test_the_deepest_mount_above_the_path(self) -> None:
        table = mounts(ROOT, "40 29 8:2 / /srv rw - xfs /dev/sda2 rw", "41 40 8:3 / /srv/data rw - xfs /dev/sda3 rw")
        by_path = {path: mount_of(table, path) for path in ("/", "/srv", "/srvx", "/srv/data/a", "/srv/database")}
        assert {path: mount and mount.id for path, mount in by_path.items()} == {
            "/": 29,
            "/srv": 40,
            "/srvx": 29,
            "/srv/data/a": 41,
            "/srv/database": 40,
        }

    def test_the_last_of_several_on_one_point(self) -> None:
        table = mounts(ROOT, "40 29 0:5 / /mnt rw - tmpfs a rw", "41 40 0:6 / /mnt rw - tmpfs b rw")
        found = mount_of(table, "/mnt/x")
        assert found is not None
        assert found.source == "b"

    def test_a_mount_that_another_one_hides_is_not_found(self) -> None:
        table = mounts(ROOT, "40 29 8:3 / /mnt/deep rw - xfs /dev/sda3 rw", "41 29 0:6 / /mnt rw - tmpfs over rw")
        found = mount_of(table, "/mnt/deep/x")
        assert found is not None
        assert found.source == "over"

    def test_in_a_chroot_the_root_may_be_missing(self) -> None:
        table = mounts("40 29 0:5 / /proc rw - proc proc rw")
        assert mount_of(table, "/srv") is None
        found = mount_of(table, "/proc/self")
        assert found is not None
        assert found.type == "proc"

    def test_the_root_may_be_its_own_parent(self) -> None:
        found = mount_of(mounts("1 1 0:2 / / rw - rootfs rootfs rw"), "/tmp")
        assert found is not None
        assert found.type == "rootfs"

    def test_an_empty_table(self) -> None:
        assert mount_of([], "/") is None


class TestEffectiveOptions:
    def options(self, line: str, ext_options: str | None = None) -> list[str]:
        return effective_options(mounts(line)[0], ext_options)

    def test_mount_and_file_system_together(self) -> None:
        line = "41 29 8:2 / /d rw,noatime shared:5 - xfs /dev/sda2 rw,inode64,logbufs=8,noquota"
        assert self.options(line) == ["rw", "noatime", "inode64", "logbufs=8", "noquota"]

    @pytest.mark.parametrize("line", ["1 0 8:2 / /d ro - ext4 x rw", "1 0 8:2 / /d rw - ext4 x ro"])
    def test_read_only_on_either_side_is_read_only(self, line: str) -> None:
        assert self.options(line) == ["ro"]

    def test_silent_defaults_of_ext4_that_matter(self) -> None:
        silent = "rw\nbsddf\ndelalloc\nbarrier\ncommit=5\nstripe=0\ndata=ordered\nuser_xattr\n"
        expected = ["rw", "relatime", "delalloc", "barrier", "commit=5", "data=ordered"]
        assert self.options("1 0 8:2 / /d rw,relatime - ext4 x rw", silent) == expected

    def test_addresses_names_and_snapshot_numbers_are_no_settings(self) -> None:
        nfs = "1 0 0:50 / /d rw - nfs4 server:/export rw,vers=4.2,rsize=1048576,clientaddr=192.0.2.7,addr=192.0.2.1"
        assert self.options(nfs) == ["rw", "vers=4.2", "rsize=1048576"]
        overlay = "1 0 0:51 / / rw - overlay overlay rw,lowerdir=/a:/b,upperdir=/c,workdir=/d,metacopy=on"
        assert self.options(overlay) == ["rw", "metacopy=on"]
        assert self.options("1 0 0:40 / / rw - btrfs /dev/sda rw,subvolid=5,subvol=/@home,ssd") == ["rw", "ssd"]
        assert self.options("1 0 0:52 / / rw - cifs //s/x rw,username=wanda,domain=HOME,vers=3.0") == ["rw", "vers=3.0"]


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    for mount in parse_mountinfo(text):
        assert effective_options(mount)[0] in ("ro", "rw")


@given(st.text(alphabet=" \t\n\\/abc", min_size=1))
def test_every_name_survives_the_kernels_escapes(name: str) -> None:
    escaped = "".join(f"\\{ord(char):03o}" if char in " \t\n\\" else char for char in name)
    assert mounts(f"1 0 8:1 / /{escaped} rw - ext4 /dev/sda1 rw")[0].point == "/" + name


def test_this_machine_has_a_root() -> None:
    found = mount_of(parse_mountinfo(Path("/proc/self/mountinfo").read_text()), "/")
    assert found is not None
    assert found.point == "/"
