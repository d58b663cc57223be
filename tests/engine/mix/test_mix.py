"""fsload mix: FFSB's kinds of operation, their counts, and the ends of a mix."""

import os
import re
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.engine.conftest import Fsload, Option, command
from tests.engine.mix.ffsb import ARTICLE, EVERYTHING, KINDS, profile, write
from tests.engine.mounts import mounted

pytestmark = [pytest.mark.needs("cc", package="gcc"), pytest.mark.needs("make", package="make")]

GOLDEN = Path(__file__).parent / "golden"


def by_test(results: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {result["test"]: result for result in results}


@contextmanager
def running(
    program: Path, directory: Path, text: str, **options: Option
) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """A prepared mix that runs until it is stopped, and its directory."""
    words = command(program, directory, "mix", str(write(directory, text)), seconds=1000, **options)
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr
    for line in process.stderr:
        if re.match(r"1/1 mix", line):
            break
    try:
        (workspace,) = directory.glob("fsload.*/work")
        yield process, workspace
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)


def test_every_kind_has_a_line_and_the_whole_is_their_sum(fsload: Fsload, tmp_path: Path) -> None:
    done = fsload("mix", write(tmp_path, EVERYTHING), operations=300)
    assert done.status == 0, done.stderr
    whole, *kinds = done.results
    assert (whole["test"], whole["threads"], whole["ended_by"]) == ("mix", 3, "operations")
    assert [(kind["test"], kind["params"], kind["threads"]) for kind in kinds] == [
        *((test, {"group": 0}, 2) for test in KINDS),
        ("read", {"group": 1}, 1),
    ]
    for field in ("operations", "bytes"):
        assert whole[field] == sum(kind[field] for kind in kinds)
    assert all(kind["operations"] > 0 for kind in kinds)
    assert 0 < whole["cpu_of_all_cores"] <= whole["cpu_of_one_core"] + 1e-4


def test_a_block_is_an_operation(fsload: Fsload, tmp_path: Path) -> None:
    """As in FFSB, a transaction that moves data is one block, including the partial last block of a file."""
    text = profile("create_weight=1 write_blocksize=64k", "num_files=0 max_filesize=1m min_filesize=1m", threads=4)
    whole, create = fsload("mix", write(tmp_path, text), operations=2).results
    assert (create["operations"], create["bytes"]) == (4 * 2 * 16, 4 * 2 << 20)
    assert (whole["operations"], whole["bytes"]) == (4 * 2 * 16, 4 * 2 << 20)
    text = profile("create_weight=1 write_blocksize=64k", "num_files=0 max_filesize=65537 min_filesize=65537")
    _, create = fsload("mix", write(tmp_path, text), operations=1).results
    assert (create["operations"], create["bytes"]) == (2 * 2, 2 * 65537)


def test_ffsb_itself_counts_so() -> None:
    """In a real run, transactions times block size gives the printed throughput and whole files."""
    text = (GOLDEN / "ffsb-create_16t.txt").read_text()
    match = re.search(r"create :\s+(\d+)\s+[\d.]+\s+100.000%\s+100.000%\s+(\d+)MB/sec", text)
    took = re.search(r"Benchmark took ([\d.]+) sec", text)
    assert match
    assert took
    size = int(match[1]) * 65536
    assert size % (64 << 20) == 0
    assert size / float(took[1]) / 2**20 == pytest.approx(int(match[2]), abs=1)


@pytest.mark.parametrize(
    ("kind", "operations", "size"),
    [
        ("read", 3, 12 << 10),
        ("readall", 4, 16 << 10),
        ("write", 3, 12 << 10),
        ("write_fsync", 3, 12 << 10),
        ("writeall", 4, 16 << 10),
        ("writeall_fsync", 4, 16 << 10),
        ("create", 4, 16 << 10),
        ("create_fsync", 4, 16 << 10),
        ("append", 3, 12 << 10),
        ("append_fsync", 3, 12 << 10),
        ("delete", 1, 0),
        ("stat", 1, 0),
        ("open_close", 1, 0),
        ("metaop", 1, 0),
        ("createdir", 1, 0),
    ],
)
def test_what_one_operation_counts(fsload: Fsload, tmp_path: Path, kind: str, operations: int, size: int) -> None:
    sizes = "read_size=12k read_blocksize=4k write_size=12k write_blocksize=4k"
    done = fsload("mix", write(tmp_path, profile(f"{kind}_weight=1 {sizes}")), operations=5)
    assert done.status == 0, done.stderr
    counted = by_test(done.results)[kind]
    assert (counted["operations"], counted["bytes"]) == (2 * 5 * operations, 2 * 5 * size)


def test_the_weights_are_kept(fsload: Fsload, tmp_path: Path) -> None:
    text = profile("stat_weight=6 open_close_weight=3 metaop_weight=1", threads=1)
    counted = by_test(fsload("mix", write(tmp_path, text), operations=4000).results)
    assert counted["stat"]["operations"] == pytest.approx(2400, abs=150)
    assert counted["open_close"]["operations"] == pytest.approx(1200, abs=130)
    assert counted["metaop"]["operations"] == pytest.approx(400, abs=90)


def test_the_same_seed_gives_the_same_operations(fsload: Fsload, tmp_path: Path) -> None:
    path = write(tmp_path, EVERYTHING)
    first, again, other = (fsload("mix", path, operations=200, seed=seed).results for seed in (1, 1, 2))

    def facts(results: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
        return [(result["test"], result["operations"], result["bytes"], result.get("sequence")) for result in results]

    assert facts(first) == facts(again)
    assert facts(first) != facts(other)


def test_the_fileset_is_what_the_profile_says(program: Path, tmp_path: Path) -> None:
    with running(program, tmp_path, EVERYTHING.replace("delete_weight = 2", ""), max_bytes="64K") as (_, workspace):
        names = {path.name for path in workspace.iterdir()}
        files = list((workspace / "fs0" / "data").rglob("f*"))
        places = {path.parent.name for path in files}
    assert names == {"fs0", "fs1"}
    assert len(files) >= 40
    assert places <= {"data", "d0", "d1", "d2"}
    assert len(places) == 4


@pytest.mark.needs("loop devices")
@pytest.mark.needs("mkfs.ext4", package="e2fsprogs")
def test_aging_fills_the_file_system(program: Path, tmp_path: Path) -> None:
    """The file system is filled to the requested share before the time; the files are not changed."""
    words = "agefs=1 [threadgroup] num_threads=3 write_size=8k write_blocksize=4k create_weight=10 append_weight=5"
    aging = "\n".join(["[filesystem]", *words.split(), "delete_weight=2", "[end]", "desired_util=0.5"])
    text = profile("stat_weight=1").replace("[filesystem]", aging)
    with mounted("ext4", tmp_path) as directory, running(program, directory, text) as (_, workspace):
        names = [path.name for path in (workspace / "fs0" / "data").iterdir()]
        status = os.statvfs(directory)
    used = 1 - status.f_bfree / status.f_blocks
    assert 0.4 < used < 0.6
    assert Counter(name[0] for name in names)["a"] > 100
    assert {name.split(".")[0] for name in names if name[0] == "a"} == {"a0", "a1", "a2"}


def test_an_operation_that_has_begun_is_finished_when_the_time_is_over(fsload: Fsload, tmp_path: Path) -> None:
    """As in FFSB, the article's profile with 64 threads makes 64 files of 1 GiB, however short its time."""
    text = profile("create_weight=1 write_blocksize=4k", "num_files=0 max_filesize=8m min_filesize=8m")
    whole, _ = fsload("mix", write(tmp_path, text), seconds=0.001).results
    assert whole["ended_by"] == "time"
    assert whole["bytes"] >= 8 << 20  # of the thread that began first; the other may begin too late
    assert whole["bytes"] % (8 << 20) == 0


def test_the_time_is_the_profiles_unless_told_otherwise(fsload: Fsload, tmp_path: Path) -> None:
    whole, _ = fsload("mix", write(tmp_path, profile("stat_weight=1", start="time=1"))).results
    assert whole["elapsed_ns"] >= 1e9
    path = write(tmp_path, profile("stat_weight=1", start="time=1000000"))
    for options in ({"seconds": 0.01}, {"seconds": 1e-12}, {"operations": 10}):
        whole, _ = fsload("mix", path, **options).results
        assert whole["ended_by"] == next(iter(options)).replace("seconds", "time")


def test_the_articles_profile_ends_where_it_would_fill_the_disk(fsload: Fsload, tmp_path: Path) -> None:
    """All threads write until the space is used up; the throughput covers the bytes written until then."""
    done = fsload("mix", write(tmp_path, ARTICLE), max_bytes="16M")
    whole, create = done.results
    assert (done.status, whole["status"], whole["ended_by"], whole["threads"]) == (0, "ok", "space", 4)
    assert 14 << 20 < whole["bytes"] <= 16 << 20
    assert create["operations"] == whole["bytes"] // 65536
    assert done.lines[0]["parameters"]["mix"]["filesystems"][0]["location"] == "/mnt/test/"


@pytest.mark.needs("loop devices")
@pytest.mark.needs("mkfs.ext4", package="e2fsprogs")
def test_the_free_space_limits_without_a_bound(fsload: Fsload, tmp_path: Path) -> None:
    with mounted("ext4", tmp_path) as directory:
        status = os.statvfs(directory)
        whole, _ = fsload("mix", GOLDEN / "ffsb4.prof", directory=directory, min_free="16M").results
    room = status.f_bavail * status.f_frsize - (16 << 20)
    assert (whole["status"], whole["ended_by"]) == ("ok", "space")
    assert room - (9 << 20) < whole["bytes"] <= room


def test_what_is_deleted_makes_room(fsload: Fsload, tmp_path: Path) -> None:
    text = profile("create_weight=1 delete_weight=1 write_blocksize=4k", threads=1)
    whole, create, _ = fsload("mix", write(tmp_path, text), operations=2000, max_bytes="4M").results
    assert whole["ended_by"] == "operations"
    assert create["bytes"] > 4 << 20


def test_deletes_wait_for_creates(fsload: Fsload, tmp_path: Path) -> None:
    """With ten deletes per create, there is mostly nothing to delete; each new file is deleted at once."""
    text = profile("create_weight=1 delete_weight=10 write_blocksize=4k", threads=2)
    _, create, delete = fsload("mix", write(tmp_path, text), operations=500).results
    assert abs(delete["operations"] - create["operations"] // 4 - 20) <= 2


def test_without_any_file_left_the_mix_has_failed(fsload: Fsload, tmp_path: Path) -> None:
    done = fsload("mix", write(tmp_path, profile("delete_weight=1")), operations=11)
    assert done.status == 1
    (result,) = done.results
    assert result["status"] == "failed"
    assert (result["error"]["call"], result["error"]["file"]) == ("delete", "no file is left")


def test_a_failed_call_is_a_failed_test(program: Path, tmp_path: Path) -> None:
    """The repetitions after it continue."""
    text = profile("create_weight=1 write_blocksize=4k", "num_files=0 max_filesize=1m min_filesize=1m")
    words = command(program, tmp_path, "mix", str(write(tmp_path, text)), operations=2, repetitions=2)
    done = subprocess.run(
        ["sh", "-c", 'ulimit -f 200; exec "$@"', "sh", *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stdout.count('"call":"write","errno":27,"message":"File too large"') == 2
    assert list(tmp_path.glob("fsload.*")) == []


def test_repetitions_begin_anew(fsload: Fsload, tmp_path: Path) -> None:
    done = fsload("mix", write(tmp_path, EVERYTHING), operations=50, repetitions=2)
    first, second = ([r["operations"] for r in done.results if r["repetition"] == n] for n in (0, 1))
    assert first == second


def test_locations_are_not_touched(fsload: Fsload, tmp_path: Path) -> None:
    location = tmp_path / "location"
    location.mkdir()
    (location / "data").write_text("precious")
    assert fsload("mix", write(tmp_path, profile("stat_weight=1", f"location={location}")), operations=5).status == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.prof", "location"]
    assert (location / "data").read_text() == "precious"


def test_a_signal_ends_a_mix_and_cleans_up(program: Path, tmp_path: Path) -> None:
    with running(program, tmp_path, EVERYTHING) as (process, _):
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert process.returncode == 128 + signal.SIGINT
    assert [path.name for path in tmp_path.iterdir()] == ["a.prof"]


def test_threads_take_the_place_of_the_profiles(fsload: Fsload, tmp_path: Path) -> None:
    text = profile("create_weight=1 write_blocksize=4k", threads=2)
    whole = [by_test(fsload("mix", write(tmp_path, text), operations=5, threads=n).results)["mix"] for n in (0, 3)]
    assert [(mix["threads"], mix["operations"]) for mix in whole] == [(2, 40), (3, 60)]  # 4 blocks per file
