"""The layout of files and of the free space on real file systems, compared with other tools."""

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.engine.conftest import Fsload, Run
from tests.engine.mounts import each, mounted

pytestmark = [pytest.mark.needs("cc", package="gcc"), pytest.mark.needs("make", package="make")]
root = [pytest.mark.needs("root", package=None), pytest.mark.needs("loop devices", package=None)]

AGED = {"profile": "developer", "overwrites": 3, "fullness": 0.8, "keep": True}


def layouts(done: Run) -> dict[str | None, dict[str, Any]]:
    assert done.status == 0, done.stderr
    return {line["when"]: line for line in done.lines if line["type"] == "layout"}


def layout(fsload: Fsload, directory: Path) -> dict[str, Any]:
    return layouts(fsload("layout", directory=directory))[None]


def system(*command: object) -> str:
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("file_system", each("ext4", "ext2", "xfs", "btrfs"))
@pytest.mark.usefixtures("program")
class TestAged:
    pytestmark = root

    def test_an_aged_file_system_is_in_pieces(self, fsload: Fsload, tmp_path: Path, file_system: str) -> None:
        with mounted(file_system, tmp_path) as point:
            capacity = {} if file_system.startswith("ext") else {"capacity": "24M"}
            reports = layouts(fsload("age", directory=point, **AGED, **capacity))
        before, filled, after = reports["before"], reports["filled"], reports["after"]
        assert (before["files"], before["layout_score"], before["extents_per_file"]) == (0, None, None)
        assert before["free_fragments"] < after["free_fragments"]
        assert filled["free_fragments"] < after["free_fragments"]
        assert filled["mean_free_bytes"] > after["mean_free_bytes"]
        assert after["free_method"] == ("fallocate" if file_system == "btrfs" else "GETFSMAP")
        if file_system.startswith("ext"):
            assert 1 <= filled["extents_per_file"] < after["extents_per_file"]
            assert filled["fragmented_share"] < after["fragmented_share"]
            assert 1 >= filled["layout_score"] > after["layout_score"]
        for line in (filled, after):
            assert line["files"] == line["files_measured"] + line["files_without_blocks"]
            assert line["files_skipped"] == line["directories_skipped"] == 0
            assert sum(part["bytes"] for part in line["free_histogram"]) == line["free_bytes"]
            assert sum(part["extents"] for part in line["free_histogram"]) == line["free_fragments"]


@pytest.mark.needs("filefrag", package="e2fsprogs")
class TestAgainstOtherTools:
    pytestmark = root

    @pytest.mark.parametrize("file_system", each("ext4", "ext2", "xfs"))
    def test_filefrag_counts_the_same_extents(self, fsload: Fsload, tmp_path: Path, file_system: str) -> None:
        with mounted(file_system, tmp_path) as point:
            fsload("age", directory=point, **AGED, capacity="12M")
            report = layout(fsload, point)
            files = [path for path in point.rglob("f*") if path.is_file() and path.stat().st_size]
            counts = [int(n) for n in re.findall(r": (\d+) extents? found", system("filefrag", *files))]
        assert (report["files_measured"], report["extents"]) == (len(files), sum(counts))
        assert report["extents_per_file"] == pytest.approx(sum(counts) / len(files), rel=1e-5)
        assert report["fragmented_files"] == sum(count > 1 for count in counts)

    @pytest.mark.needs("e2freefrag", package="e2fsprogs")
    @pytest.mark.parametrize("file_system", ["ext4", "ext2"])
    def test_e2freefrag_finds_the_same_free_extents(self, fsload: Fsload, tmp_path: Path, file_system: str) -> None:
        with mounted(file_system, tmp_path) as point:
            fsload("age", directory=point, **AGED, capacity="12M")
            report = layout(fsload, point)
            os.sync()
            seen = system("e2freefrag", tmp_path / f"{file_system}.img")
        extents, block = (int(re.search(text, seen)[1]) for text in (r"Num. free extent: (\d+)", r"Blocksize: (\d+)"))  # type: ignore[index]
        blocks = int(re.search(r"Free blocks: (\d+)", seen)[1])  # type: ignore[index]
        # The journal may have been written in between, which changes a few blocks.
        assert report["free_fragments"] == pytest.approx(extents, abs=3)
        assert report["free_bytes"] == pytest.approx(blocks * block, abs=8 * block)


@pytest.fixture
def ext4(tmp_path: Path) -> Any:
    with mounted("ext4", tmp_path, 16) as point:
        yield point


@pytest.mark.needs("mkfs.ext4", package="e2fsprogs")
class TestOneTree:
    pytestmark = root

    def test_the_score_of_a_file_in_known_pieces(self, fsload: Fsload, ext4: Path) -> None:
        """Two files that grow in turn and are synced each time, so that no two pieces of a file can be adjacent."""
        with (ext4 / "a").open("wb", buffering=0) as a, (ext4 / "b").open("wb", buffering=0) as b:
            for _ in range(8):
                for file in (a, b):
                    file.write(os.urandom(4096))
                    os.fsync(file.fileno())
        counts = [int(n) for n in re.findall(r": (\d+) extents? found", system("filefrag", ext4 / "a", ext4 / "b"))]
        report = layout(fsload, ext4)
        block = report["block_size"]
        pairs = 2 * (8 * 4096 // block - 1)
        assert report["extents"] == sum(counts)
        assert report["layout_score"] == pytest.approx((pairs - sum(counts) + 2) / pairs, rel=1e-5)

    def test_a_file_with_a_hole_and_one_without_blocks(self, fsload: Fsload, ext4: Path) -> None:
        (ext4 / "empty").touch()
        with (ext4 / "sparse").open("wb") as file:
            file.truncate(1 << 20)
        with (ext4 / "hole").open("wb") as file:
            file.write(b"x" * 4096)
            file.seek(1 << 20)
            file.write(b"x" * 4096)
        report = layout(fsload, ext4)
        assert (report["files"], report["files_measured"], report["files_without_blocks"]) == (3, 1, 2)
        assert (report["allocated_bytes"], report["bytes"]) == (8192, (2 << 20) + 4096)

    def test_no_link_is_followed_and_no_other_file_system_entered(
        self, fsload: Fsload, ext4: Path, tmp_path: Path
    ) -> None:
        (tmp_path / "outside").write_bytes(b"x" * 4096)
        os.symlink(tmp_path, ext4 / "link")
        os.symlink(tmp_path / "outside", ext4 / "file-link")
        os.mkfifo(ext4 / "fifo")
        (ext4 / "inside").write_bytes(b"x" * 4096)
        (ext4 / "other").mkdir()
        system("mount", "-t", "tmpfs", "none", ext4 / "other")
        try:
            (ext4 / "other" / "file").write_bytes(b"x" * 4096)
            assert layout(fsload, ext4)["files"] == 1
        finally:
            system("umount", ext4 / "other")

    def test_a_file_system_that_cannot_be_written(self, fsload: Fsload, ext4: Path) -> None:
        (ext4 / "file").write_bytes(b"x" * 5000)
        system("mount", "-o", "remount,ro", ext4)
        assert layout(fsload, ext4)["files_measured"] == 1

    def test_nothing_changes(self, fsload: Fsload, ext4: Path) -> None:
        (ext4 / "a").mkdir()
        (ext4 / "a" / "file").write_bytes(b"x" * 5000)
        os.sync()

        def state() -> list[tuple[str, int, int, int]]:
            statuses = [(str(p), p.lstat()) for p in [ext4, *sorted(ext4.rglob("*"))]]
            return [(name, s.st_mtime_ns, s.st_ctime_ns, s.st_size) for name, s in statuses]

        before = state()
        layout(fsload, ext4)
        assert state() == before


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="needs /dev/shm")
def test_a_file_system_that_does_not_tell_says_so(fsload: Fsload) -> None:
    report = layouts(fsload("age", directory="/dev/shm", capacity="4M", overwrites=1))["after"]
    assert report["files"] > 0
    assert report["files_reason"] == "the file system does not say where files lie: it has no FIEMAP"
    assert report["free_reason"] == "the file system has neither GETFSMAP nor FIEMAP"
    for name in ("layout_score", "extents_per_file", "fragmented_share", "free_fragments", "free_histogram"):
        assert report[name] is None


def test_a_deep_tree_is_walked_as_far_as_files_can_be_open(fsload: Fsload, tmp_path: Path) -> None:
    here = tmp_path
    for _ in range(210):
        here /= "d"
        here.mkdir()
        (here / "file").touch()
    report = layout(fsload, tmp_path)
    assert (report["files"], report["directories_skipped"]) == (200, 1)


def test_a_directory_that_is_none_is_refused(fsload: Fsload, tmp_path: Path) -> None:
    done = fsload("layout", directory=tmp_path / "absent")
    assert done.status == 3
    assert "No such file or directory" in done.stderr
