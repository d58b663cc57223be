"""fsload sweep: the effect of each of iozone's tests on its file, with every method."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.engine.conftest import Fsload, Option, Run, command, run
from tests.engine.mounts import mounted

pytestmark = [pytest.mark.needs("cc", package="gcc"), pytest.mark.needs("make", package="make")]

RECORD = 4096
RECORDS = 64
VARIANTS: list[dict[str, Option]] = [
    {},
    {"method": "positional"},
    {"method": "mmap"},
    {"fsync": True, "close": True},
    {"sync": "dsync"},
    {"sync": "sync", "preallocate": True},
    {"advice": "random"},
    {"threads": 3},
    {"threads": 3, "shared_file": True},
    {"threads": 3, "shared_file": True, "method": "mmap", "fsync": True},
    {"compressibility": 50},
]


def offsets(program: Path, directory: Path, test: str, **options: Option) -> list[int]:
    """The offset of each record of a test, from the program's system calls, which move the file position."""
    tests = test if test == "write" else f"write,{test}"
    words = command(program, directory, tests=tests, file_sizes=RECORDS * RECORD, **options)
    trace = ["strace", "-f", "-e", "trace=openat,lseek,read,write,pread64,pwrite64"]
    done = subprocess.run([*trace, *words], capture_output=True, text=True, check=True)
    calls = done.stderr[done.stderr.rindex('"data.0"') :]
    position, positions = 0, []
    for name, number in re.findall(r"(lseek|read|write|pread64|pwrite64)\(\d+, .*?= (\d+)\n", calls):
        if name == "lseek":
            position = int(number)
        elif int(number) == RECORD:
            positions.append(position)
            position += RECORD
    return positions


@pytest.mark.needs("strace", package="strace")
@pytest.mark.parametrize(
    ("test", "records"),
    [
        ("write", list(range(RECORDS))),
        ("rewrite", list(range(RECORDS))),
        ("reread", list(range(RECORDS))),
        ("backward_read", list(range(RECORDS))[::-1]),
        ("record_rewrite", [0] * RECORDS),
        ("strided_read", [record for first in range(17) for record in range(first, RECORDS, 17)]),
        ("fwrite", list(range(RECORDS))),
        ("fread", list(range(RECORDS))),
    ],
)
def test_each_test_goes_through_its_file_in_its_own_order(
    program: Path, tmp_path: Path, test: str, records: list[int]
) -> None:
    assert offsets(program, tmp_path, test) == [RECORD * record for record in records]


@pytest.mark.needs("strace", package="strace")
@pytest.mark.needs("iozone", package="iozone3")
def test_iozone_strides_in_the_same_order(program: Path, tmp_path: Path) -> None:
    iozone = ["iozone", "-s", f"{RECORDS * RECORD >> 10}k", "-r", f"{RECORD >> 10}k", "-i", "0", "-i", "5"]
    done = subprocess.run(
        ["strace", "-e", "trace=openat,lseek,read", *iozone], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    last = done.stderr[done.stderr.rindex("openat") :]
    theirs = [int(offset) for offset in re.findall(r"lseek\(\d+, \d+, SEEK_SET\)\s+= (\d+)", last)]
    # iozone omits the last two records (it begins anew one record too early) and repeats some others instead. It seeks
    # after each record, so the first needs no seek.
    ours = [offset for offset in offsets(program, tmp_path, "strided_read") if offset < (RECORDS - 2) * RECORD]
    assert ours == [0, *theirs[: RECORDS - 3]]


@pytest.mark.needs("strace", package="strace")
def test_random_tests_visit_each_record_once_in_an_order_of_the_seed(program: Path, tmp_path: Path) -> None:
    first, again, other = (offsets(program, tmp_path, "random_read", seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    assert sorted(first) == sorted(other) == [RECORD * record for record in range(RECORDS)]


@pytest.mark.parametrize("options", VARIANTS, ids=lambda options: " ".join(options) or "plain")
def test_every_variant_does_all_tests_and_finds_its_own_data(fsload: Fsload, options: dict[str, Option]) -> None:
    checks: list[dict[str, Option]] = [{}, {"verify": True}]
    for verify in checks:
        done = fsload(file_sizes="1M", record_sizes="4K,64K", **options, **verify)
        assert done.status == 0, done.stderr
        assert [result["status"] for result in done.results] == ["ok"] * 26
        assert [result.get("params") for result in done.results] == [{"verified": True} if verify else None] * 26


def test_the_threads_of_a_shared_file_move_it_once(fsload: Fsload) -> None:
    results = fsload(threads=3, shared_file=True).results
    assert results
    for result in results:
        assert (result["operations"], result["bytes"], result["threads"]) == (64, 256 << 10, 3)


def test_the_same_seed_gives_the_same_sequence(fsload: Fsload) -> None:
    def sequences(**options: Option) -> list[str]:
        return [result["sequence"] for result in fsload(threads=2, tests="random_read,random_write", **options).results]

    first = sequences(seed=1)
    assert first == sequences(seed=1)
    assert not set(first) & set(sequences(seed=2))


# Inverts one bit of the data of the tenth read() of a record.
FLIPPER = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>

ssize_t read(int file, void *memory, size_t size)
{
    static int records;
    ssize_t (*next)(int, void *, size_t) = (ssize_t (*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
    ssize_t got = next(file, memory, size);

    if (size == 4096 && ++records == 10)
        ((unsigned char *)memory)[1234] ^= 1;
    return got;
}
"""

# Reports more free space than there is.
LIAR = """
#include <sys/statvfs.h>

int fstatvfs(int file, struct statvfs *status)
{
    (void)file;
    *status = (struct statvfs){.f_frsize = 4096, .f_bavail = 1 << 20};
    return 0;
}
"""


def run_with(source: str, library: Path, words: list[str]) -> Run:
    """Run the program with some of libc's functions replaced."""
    subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", library], input=source, text=True, check=True)
    environment = {**os.environ, "LD_PRELOAD": str(library)}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    return Run(done.returncode, done.stdout, done.stderr)


def test_verification_finds_a_single_flipped_bit(program: Path, tmp_path: Path) -> None:
    words = command(program, tmp_path, tests="write,read,reread", verify=True)
    done = run_with(FLIPPER, tmp_path / "flip.so", words)
    assert (done.status, [result["status"] for result in done.results]) == (1, ["ok", "failed", "ok"])
    assert done.results[1]["error"] == {
        "call": "verify",
        "errno": 0,
        "message": "the data are not those that were written",
        "file": "data.0",
        "offset": 9 * RECORD + 1234,
    }


@pytest.mark.needs("loop devices")
@pytest.mark.needs("mkfs.ext4", package="e2fsprogs")
def test_a_mapping_that_meets_a_full_disk_is_a_failed_test(program: Path, tmp_path: Path) -> None:
    with mounted("ext4", tmp_path) as directory:
        words = command(
            program, directory, "sweep", file_sizes="64M,256K", record_sizes="64K", tests="write", method="mmap"
        )
        done = run_with(LIAR, tmp_path / "liar.so", words)
    assert (done.status, [result["status"] for result in done.results]) == (1, ["failed", "ok"])
    assert done.results[0]["error"]["call"] in {"memcpy", "msync"}


@pytest.mark.needs("loop devices")
@pytest.mark.needs("mkfs.ext4", package="e2fsprogs")
def test_direct_io_moves_on_the_device_what_it_says(program: Path, tmp_path: Path) -> None:
    options: dict[str, Option] = {"file_sizes": "256M", "record_sizes": "1M", "direct": True, "preallocate": True}
    with mounted("ext4", tmp_path, 400) as directory:
        done = run(program, directory, "sweep", tests="write,rewrite,read,random_read", **options)
    assert done.status == 0, done.stderr
    for result in done.results:
        moved = result["device_write_bytes" if "write" in result["test"] else "device_read_bytes"]
        assert moved == pytest.approx(256 << 20, rel=0.02), result["test"]


def test_no_latencies_where_none_are_wanted(fsload: Fsload) -> None:
    done = fsload(no_latencies=True, tests="write,read")
    assert [result["latency_ns"] for result in done.results] == [None, None]
    assert all(result["elapsed_ns"] > 0 for result in done.results)


@pytest.mark.needs("strace", package="strace")
@pytest.mark.parametrize(("options", "different"), [({}, RECORDS), ({"same_record": True}, 1)])
def test_one_record_is_written_again_and_again_where_asked(
    program: Path, tmp_path: Path, options: dict[str, Option], different: int
) -> None:
    words = command(program, tmp_path, tests="write", file_sizes=RECORDS * RECORD, **options)
    trace = ["strace", "-xx", "-s", "16", "-e", "trace=write", *words]
    done = subprocess.run(trace, capture_output=True, text=True, check=True)
    beginnings = re.findall(rf'write\(\d+, "(.*?)"\.\.\., {RECORD}\) = {RECORD}\n', done.stderr)
    assert (len(beginnings), len(set(beginnings))) == (RECORDS, different)


@pytest.mark.needs("root", package=None)
@pytest.mark.needs("loop devices")
@pytest.mark.needs("mkfs.ext4", package="e2fsprogs")
def test_cold_reads_come_from_the_device(program: Path, tmp_path: Path) -> None:
    options: dict[str, Option] = {"file_sizes": "16M", "record_sizes": "64K", "tests": "write,read"}
    with mounted("ext4", tmp_path, 200) as directory:
        warm, cold = (run(program, directory, "sweep", **options, **more) for more in ({}, {"cold": True}))
        assert (warm.status, cold.status) == (0, 0), warm.stderr + cold.stderr
    assert warm.results[1]["device_read_bytes"] < 1 << 20
    assert cold.results[1]["device_read_bytes"] >= 16 << 20


@pytest.mark.needs("root", package=None)
@pytest.mark.needs("setpriv", package="util-linux")
def test_only_root_may_ask_for_a_cold_cache(program: Path, tmp_path: Path) -> None:
    words = command(program, tmp_path, "sweep", file_sizes="1M", record_sizes="64K", cold=True)
    ordinary = ["setpriv", "--reuid=65534", "--clear-groups", *words]
    done = subprocess.run(ordinary, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--cold: only root may empty the page cache" in done.stderr
