"""`fsload tree` compared with the output of fdtree itself."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.agents.formats.texts import public, public_names
from tests.engine.conftest import Build, Fsload, command, run
from tests.engine.memory import tmp_path as tmp_path  # a fixture
from tests.texts import missing_in

pytestmark = [pytest.mark.needs("cc", package="gcc"), pytest.mark.needs("make", package="make")]

PHASES = ["directory_create", "file_create", "file_remove", "directory_remove"]
GOLDEN = Path(__file__).parent / "golden" / "fdtree-l2d4f20s4.txt"
# fdtree: "creating/deleting 2 directory levels with 4 directories at each level", "with 20 files of size 16KiB", …
SHAPE = re.compile(
    r"(\d+) directory levels with (\d+) directories at each level\W+for a total of (\d+) directories\W+"
    r"with (\d+) files of size (\d+)KiB per directory\W+for a total of (\d+) files and (\d+)KiB"
)


def shape(text: str) -> list[int]:
    found = SHAPE.search(text)
    assert found
    return [int(number) for number in found.groups()]


def test_it_makes_the_tree_that_fdtree_made(fsload: Fsload, tmp_path: Path) -> None:
    levels, directories, all_directories, files, kib, all_files, all_kib = shape(GOLDEN.read_text())
    done = fsload("tree", levels=levels, directories=directories, files=files, file_size=f"{kib}K")
    assert done.status == 0
    assert [(r["test"], r["operations"], r["bytes"]) for r in done.results] == [
        ("directory_create", all_directories, 0),
        ("file_create", all_files, all_kib << 10),
        ("file_remove", all_files, 0),
        ("directory_remove", all_directories, 0),
    ]
    assert all(r["elapsed_ns"] > 0 for r in done.results)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", public_names("fdtree"))
def test_the_published_sample(fsload: Fsload, name: str) -> None:
    """The sample's 1081 directories are no tree of four levels of five; today's fdtree counts 781, as fsload does.

    Both count files by directory, and both include the files of the root directory.
    """
    levels, directories, claimed, files, _, all_files, _ = shape(public(f"fdtree/{name}"))
    done = fsload("tree", levels=levels, directories=directories, files=files, file_size=0)
    counts = {r["test"]: r["operations"] for r in done.results}
    assert counts["directory_create"] == sum(directories**level for level in range(levels + 1)) == 781
    assert (all_files / claimed, counts["file_create"] / counts["directory_create"]) == (files, files)


@pytest.mark.parametrize(("levels", "directories", "files"), [(0, 7, 3), (1, 1, 1), (5, 1, 2), (3, 3, 4), (1, 500, 0)])
def test_every_shape(fsload: Fsload, levels: int, directories: int, files: int) -> None:
    done = fsload("tree", levels=levels, directories=directories, files=files, file_size=100, threads=2)
    assert done.status == 0
    count = 2 * sum(directories**level for level in range(levels + 1))
    wanted = dict.fromkeys(PHASES, count) | dict.fromkeys(["file_create", "file_remove"], count * files)
    assert {r["test"]: r["operations"] for r in done.results} == {test: n for test, n in wanted.items() if n}


def test_the_same_seed_gives_the_same_sequence(fsload: Fsload) -> None:
    runs = [fsload("tree", levels=2, directories=3, files=2, threads=3, repetitions=2) for _ in range(2)]
    sequences = [[r["sequence"] for r in done.results] for done in runs]
    assert (sequences[0], sequences[0][:4]) == (sequences[1], sequences[0][4:])


def test_fsync_and_larger_blocks(fsload: Fsload) -> None:
    done = fsload("tree", levels=1, directories=2, files=2, file_size="100K", block_size="64K", fsync=True)
    assert (done.status, done.results[1]["bytes"]) == (0, 6 * 100 << 10)


@pytest.mark.parametrize(
    ("options", "status", "words"),
    [
        ({"levels": 101}, 2, "--levels"),
        ({"directories": 0}, 2, "--directories"),
        ({"levels": 100, "directories": 2}, 2, "more than 4294967296 directories"),
        ({"levels": 3, "files": 100, "file_size": "1T"}, 3, "that must stay free"),
        ({"levels": 9, "directories": 10, "files": 1000000, "file_size": "1000T"}, 3, "that must stay free"),
    ],
)
def test_what_is_refused(
    fsload: Fsload, tmp_path: Path, options: dict[str, int | str], status: int, words: str
) -> None:
    done = fsload("tree", **options)
    assert done.status == status
    assert words in done.stderr
    assert done.results == []
    assert list(tmp_path.iterdir()) == []


def test_a_failed_phase_says_why_and_the_others_go_on(program: Path, tmp_path: Path) -> None:
    """With a file size limit of 2 MiB, files cannot be written, but directories are still made and removed."""
    words = command(program, tmp_path, "tree", levels=1, directories=2, files=1, file_size="4M", threads=2)
    limited = ["sh", "-c", 'ulimit -f 4096 && exec "$@"', "sh", *words]
    done = subprocess.run(limited, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert ['"status":"ok"' in line for line in lines[1:-1]] == [True, False, False, True]
    assert not missing_in(lines[2], '"message":"File too large","file":"LEVEL0.', '"offset":2097152')
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("target", ["fsload-asan", "fsload-tsan"])
def test_sanitizers_find_nothing(build: Build, tmp_path: Path, target: str) -> None:
    done = run(build(target), tmp_path, "tree", levels=2, directories=3, files=3, threads=3, fsync=True)
    assert done.status == 0, done.stderr
    assert "Sanitizer" not in done.stderr
