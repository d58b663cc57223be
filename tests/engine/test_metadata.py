"""`fsload metadata`: the T2 article's script."""

import json
import os
import signal
import subprocess
from collections import Counter
from pathlib import Path
from statistics import mean, median

import pytest

from tests.engine.conftest import Build, Fsload, command, run
from tests.engine.memory import tmp_path as tmp_path  # a fixture
from tests.engine.mounts import each, mounted

pytestmark = [pytest.mark.needs("cc", package="gcc"), pytest.mark.needs("make", package="make")]

root = pytest.mark.needs("root", package=None)
loop_devices = pytest.mark.needs("loop devices", package=None)

SMALL = {"files": 300, "directories": 200, "data_files": 20, "source_files": 150}
FLAT = {
    "file_create": 300,
    "file_walk": 300,
    "file_remove": 300,
    "directory_create": 200,
    "directory_walk": 200,
    "directory_remove": 200,
    "data_create": 20,
    "data_remove": 20,
}
SOURCE = ["source_unpack", "source_read", "source_stat", "source_archive", "source_remove"]


def source_tree(fsload: Fsload, **options: object) -> Path:
    """A tree made from the seed and kept."""
    done = fsload("metadata", tests="source_unpack", keep=True, **options)
    assert done.status == 0, done.stderr
    return Path(done.lines[-1]["kept"]) / "work" / "source"


def sizes(tree: Path) -> dict[str, int]:
    return {str(path.relative_to(tree)): path.stat().st_size for path in tree.rglob("*") if path.is_file()}


@pytest.mark.parametrize("split", [1, 3])
def test_every_test_counts_every_entry(fsload: Fsload, tmp_path: Path, split: int) -> None:
    done = fsload("metadata", **SMALL, split=split, repetitions=2)
    assert done.status == 0
    entries = done.lines[0]["parameters"]["source_entries"]
    wanted = list((FLAT | dict.fromkeys(SOURCE, entries)).items()) * 2
    assert [(r["test"], r["operations"]) for r in done.results] == wanted
    assert list(tmp_path.iterdir()) == []


def test_bytes_are_those_of_the_files(fsload: Fsload) -> None:
    done = fsload("metadata", **SMALL)
    moved = {r["test"]: r["bytes"] for r in done.results}
    assert moved["data_create"] == 20 * 48 << 10
    assert moved["source_unpack"] == moved["source_read"] == moved["source_archive"] > 0
    assert {moved[test] for test in moved if test.startswith(("file_", "directory_")) or "remove" in test} == {0}


@pytest.mark.parametrize("test", [*FLAT, *SOURCE])
def test_a_test_alone_makes_what_it_needs(fsload: Fsload, tmp_path: Path, test: str) -> None:
    done = fsload("metadata", **SMALL, tests=test)
    assert [(r["test"], r["status"]) for r in done.results] == [(test, "ok")]
    assert done.results[0]["operations"] == FLAT.get(test, done.lines[0]["parameters"].get("source_entries"))
    assert list(tmp_path.iterdir()) == []


def test_any_order(fsload: Fsload) -> None:
    tests = ["source_remove", "file_remove", "file_create", "source_archive", "file_walk", "data_remove"]
    done = fsload("metadata", **SMALL, tests=",".join(tests))
    assert [(r["test"], r["status"]) for r in done.results] == [(test, "ok") for test in tests]


def test_a_source_tree_is_like_source_code(fsload: Fsload) -> None:
    tree = source_tree(fsload, source_files=3000)
    files = sizes(tree)
    assert len(files) == 3000
    assert median(files.values()) == pytest.approx(4096, rel=0.15)
    assert mean(files.values()) == pytest.approx(3 * 4096, rel=0.25)
    directories = [path for path in tree.rglob("*") if path.is_dir()]
    assert len(directories) == 200
    depths = Counter(len(path.relative_to(tree).parts) for path in directories)
    assert 4 <= max(depths) <= 8
    assert max(depths.values()) < 80
    assert Counter(os.path.dirname(path) for path in files).most_common(1)[0][1] > 45


def test_the_seed_alone_makes_the_tree(fsload: Fsload) -> None:
    first, same, other = (sizes(source_tree(fsload, source_files=200, seed=seed)) for seed in (7, 7, 8))
    assert first == same
    assert first != other


def test_control_files_are_those_of_subversion(fsload: Fsload) -> None:
    tree = source_tree(fsload, source_files=100, control_files=True)
    files = sizes(tree)
    sources = {path: size for path, size in files.items() if ".svn" not in path}
    assert len(sources) == 100
    for path, size in sources.items():
        folder, name = os.path.split(path)
        assert files[os.path.join(folder, ".svn", "text-base", f"{name}.svn-base")] == size
    folders = ["", *(str(p.relative_to(tree)) for p in tree.rglob("*") if p.is_dir() and ".svn" not in p.parts)]
    assert len(files) == 2 * 100 + 3 * len(folders)
    assert all(files[os.path.join(folder, ".svn", "entries")] >= 300 for folder in folders)


def test_only_control_files_are_read_by_the_stat_walk(fsload: Fsload) -> None:
    plain, control = (
        fsload("metadata", tests="source_stat", source_files=100, **o) for o in ({}, {"control_files": True})
    )
    assert plain.results[0]["bytes"] == 0
    parameters = control.lines[0]["parameters"]
    assert (parameters["control_files"], parameters["source_entries"]) == (True, control.results[0]["operations"])
    assert 0 < control.results[0]["bytes"] < 100_000


def test_the_same_seed_gives_the_same_sequence(fsload: Fsload) -> None:
    first, again, other = (fsload("metadata", **SMALL, seed=seed) for seed in (1, 1, 2))
    sequences = [[r["sequence"] for r in done.results] for done in (first, again, other)]
    assert sequences[0] == sequences[1] != sequences[2]


@pytest.mark.parametrize(
    ("options", "status", "words"),
    [
        ({"tests": "file_create,fly"}, 2, "--tests"),
        ({"files": 0}, 2, "--files"),
        ({"split": 0}, 2, "--split"),
        ({"keep": True, "repetitions": 2}, 2, "--keep: only where there is one repetition"),
        ({"data_files": 100_000_000, "data_size": "64G"}, 3, "that must stay free"),
    ],
)
def test_what_is_refused(
    fsload: Fsload, tmp_path: Path, options: dict[str, int | str], status: int, words: str
) -> None:
    done = fsload("metadata", **options)
    assert (done.status, done.results) == (status, [])
    assert words in done.stderr
    assert list(tmp_path.iterdir()) == []


@root
@loop_devices
@pytest.mark.parametrize("file_system", each("ext2", "ext4", "xfs", "btrfs"))
def test_on_real_file_systems(program: Path, tmp_path: Path, file_system: str) -> None:
    with mounted(file_system, tmp_path, 128) as point:
        before = sorted(os.listdir(point))
        done = run(program, point, "metadata", **SMALL | {"files": 5_000})
        assert (done.status, done.lines[-1]["failed"]) == (0, 0)
        assert sorted(os.listdir(point)) == before


@root
@loop_devices
@pytest.mark.parametrize("file_system", each("ext2"))
def test_more_files_than_inodes_are_refused(program: Path, tmp_path: Path, file_system: str) -> None:
    with mounted(file_system, tmp_path, 128) as point:
        done = run(program, point, "metadata", tests="file_create", files=40_000)
        assert done.status == 3
        assert "40000 files and directories are more than the" in done.stderr


@root
@loop_devices
@pytest.mark.parametrize("file_system", each("ext2"))
def test_too_many_links(program: Path, tmp_path: Path, file_system: str) -> None:
    """No ext2 directory holds 65100 others, which is why the article's author split his directories."""
    tests = "directory_create,file_create"
    with mounted(file_system, tmp_path, 1024) as point:
        done = run(program, point, "metadata", tests=tests, directories=65_100, files=10)
        assert done.status == 1
        assert [(r["test"], r["status"]) for r in done.results] == [
            ("directory_create", "failed"),
            ("file_create", "ok"),
        ]
        error = done.results[0]["error"]
        assert (error["call"], error["message"]) == ("mkdir", "Too many links")
        assert error["file"].startswith("directories.0/")
        assert os.listdir(point) == ["lost+found"]


@pytest.mark.parametrize(
    "words",
    [
        ("metadata", "--tests=file_create,file_walk,file_remove", "--files=50000"),
        ("tree", "--levels=3", "--file-size=4K"),
        ("bulk", "--total-size=64M", "--file-size=4K"),
    ],
)
def test_a_signal_ends_it_and_cleans_up(program: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    line = command(program, tmp_path, *words, repetitions=1_000_000)
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout
    assert '"header"' in process.stdout.readline()
    assert '"result"' in process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    rest, _ = process.communicate(timeout=30)
    assert process.returncode == 128 + signal.SIGTERM
    assert json.loads(rest.splitlines()[-1])["signal"] == signal.SIGTERM
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("target", ["fsload-asan", "fsload-tsan"])
def test_sanitizers_find_nothing(build: Build, tmp_path: Path, target: str) -> None:
    done = run(build(target), tmp_path, "metadata", **SMALL, control_files=True, fsync=True, split=2)
    assert done.status == 0, done.stderr
    assert "Sanitizer" not in done.stderr
