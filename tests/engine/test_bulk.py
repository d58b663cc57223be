"""`fsload bulk`: the RAID article's timings for simple data creation and deletion."""

from pathlib import Path

import pytest

from tests.engine.conftest import Build, Fsload, run
from tests.engine.memory import tmp_path as tmp_path  # a fixture
from tests.engine.mounts import each, mounted
from tests.texts import missing_in

pytestmark = [pytest.mark.needs("cc", package="gcc"), pytest.mark.needs("make", package="make")]

root = pytest.mark.needs("root", package=None)
loop_devices = pytest.mark.needs("loop devices", package=None)


@pytest.mark.parametrize("per_directory", [1, 7, 20, 1000])
def test_every_file_is_created_and_deleted(fsload: Fsload, tmp_path: Path, per_directory: int) -> None:
    done = fsload("bulk", total_size="5M", file_size="256K", files_per_directory=per_directory, repetitions=2)
    assert done.status == 0
    assert [(r["test"], r["operations"], r["bytes"]) for r in done.results] == [
        ("create", 20, 5 << 20),
        ("delete", 20, 0),
    ] * 2
    assert list(tmp_path.iterdir()) == []


def test_real_user_and_system_time(fsload: Fsload) -> None:
    results = fsload("bulk", total_size="16M", fsync=True).results
    assert results
    for result in results:
        assert result["elapsed_ns"] > 0
        assert {"user_ns", "system_ns", "cpu_of_one_core"} <= set(result)


def test_a_file_that_is_no_whole_number_of_blocks(fsload: Fsload) -> None:
    done = fsload("bulk", total_size=3000, file_size=1000, block_size=300)
    assert [(r["operations"], r["bytes"]) for r in done.results] == [(3, 3000), (3, 0)]


def test_a_file_system_in_memory_is_not_flushed(fsload: Fsload, tmp_path: Path) -> None:
    if not tmp_path.is_relative_to("/dev/shm"):
        pytest.skip("needs a tmpfs on /dev/shm")
    done = fsload("bulk", total_size="1M")
    assert done.results[1]["flush_bytes"] == 0
    assert "nothing is flushed: this file system is in memory" in done.stderr


@pytest.mark.parametrize(
    ("options", "status", "words"),
    [
        ({}, 2, "missing: --total-size"),
        ({"total_size": "10M", "file_size": "3M"}, 2, "no whole number of files"),
        ({"total_size": "1T", "file_size": 1}, 2, "more than 100000000 files"),
        ({"total_size": "1M", "flush_multiple": "-1"}, 2, "--flush-multiple"),
        ({"total_size": "1M", "flush_multiple": "nan"}, 2, "--flush-multiple"),
        ({"total_size": "1M", "flush_multiple": "101"}, 2, "--flush-multiple"),
        ({"total_size": "100T", "file_size": "1G"}, 3, "that must stay free"),
    ],
)
def test_what_is_refused(
    fsload: Fsload, tmp_path: Path, options: dict[str, int | str], status: int, words: str
) -> None:
    done = fsload("bulk", **options)
    assert (done.status, done.results) == (status, [])
    assert words in done.stderr
    assert list(tmp_path.iterdir()) == []


def flush_multiple(fsload: Fsload, flush_bytes: int) -> str:
    """The --flush-multiple for this number of bytes on this machine."""
    memory = fsload("bulk", total_size="1M").lines[0]["parameters"]["memory_bytes"]
    return f"{flush_bytes / memory:.12f}"


@root
@loop_devices
@pytest.mark.parametrize("file_system", each("ext4"))
def test_the_caches_are_flushed_between(fsload: Fsload, program: Path, tmp_path: Path, file_system: str) -> None:
    """The device sees the flush file, and the deletion starts after it is gone."""
    multiple = flush_multiple(fsload, 8 << 20)
    with mounted(file_system, tmp_path) as point:
        done = run(program, point, "bulk", total_size="4M", flush_multiple=multiple)
        assert (done.status, done.results[1]["flush_bytes"]) == (0, pytest.approx(8 << 20, rel=0.01))
        assert done.results[1]["device_write_bytes"] < 8 << 20
        assert [path.name for path in point.iterdir()] == ["lost+found"]


@root
@loop_devices
@pytest.mark.parametrize("file_system", each("ext4"))
def test_a_flush_never_fills_the_disk(program: Path, tmp_path: Path, file_system: str) -> None:
    """Flushing a memory or controller cache larger than the disk is refused before anything is written."""
    with mounted(file_system, tmp_path) as point:
        for options in ({"flush_multiple": 2.0}, {"flush_multiple": 0.001, "controller_cache": "1024T"}):
            done = run(program, point, "bulk", total_size="4M", **options)
            assert (done.status, done.results) == (3, [])
            assert not missing_in(done.stderr, "refused: flushing the caches takes", "--flush-multiple 0 does without")


def test_the_same_seed_gives_the_same_sequence(fsload: Fsload) -> None:
    runs = [fsload("bulk", total_size="4M", files_per_directory=3) for _ in range(2)]
    assert runs[0].results[0]["sequence"] == runs[1].results[0]["sequence"]


@pytest.mark.parametrize("target", ["fsload-asan", "fsload-tsan"])
def test_sanitizers_find_nothing(build: Build, tmp_path: Path, target: str) -> None:
    done = run(build(target), tmp_path, "bulk", total_size="2M", files_per_directory=1, fsync=True)
    assert done.status == 0, done.stderr
    assert "Sanitizer" not in done.stderr


def test_what_is_kept_is_not_deleted(fsload: Fsload) -> None:
    done = fsload("bulk", total_size="1M", file_size="64K", files_per_directory=5, keep=True)
    assert [result["test"] for result in done.results] == ["create"]
    files = [path for path in (Path(done.lines[-1]["kept"]) / "work").rglob("*") if path.is_file()]
    assert [path.stat().st_size for path in files] == [64 << 10] * 16


def test_only_one_repetition_can_be_kept(fsload: Fsload) -> None:
    done = fsload("bulk", total_size="1M", keep=True, repetitions=2)
    assert (done.status, done.results) == (2, [])
    assert "--keep: of --repetitions only one can be kept" in done.stderr
