"""fsload sweep with io_uring: the same tests and failures as with plain calls, and machines that have no io_uring."""

import ctypes
import resource
import signal
import struct
import subprocess
from pathlib import Path

import pytest

from tests.engine.conftest import ENGINE, Build, Fsload, Option, Run, command, run
from tests.engine.mounts import in_memory, mounted
from tests.engine.test_sweep import LIAR, run_with

pytestmark = [
    pytest.mark.needs("cc", package="gcc"),
    pytest.mark.needs("make", package="make"),
    pytest.mark.needs("io_uring", package=None),
]

RING: dict[str, Option] = {"engine": "io_uring"}
VARIANTS: list[dict[str, Option]] = [
    {},
    {"depth": 7, "batch": 3},
    {"depth": 16, "batch": 16, "registered": True, "threads": 3},
    {"depth": 64, "threads": 3, "shared_file": True, "fsync": True, "close": True},
    {"depth": 4, "rate": 1e6, "arrivals": "poisson"},
]


@pytest.mark.parametrize("options", VARIANTS, ids=lambda options: " ".join(options) or "plain")
def test_every_variant_does_the_tests_with_calls_and_finds_its_own_data(
    fsload: Fsload, options: dict[str, Option]
) -> None:
    for verify in ({}, {"verify": True}):
        done = fsload(file_sizes="1M", record_sizes="4K,64K", **RING, **options, **verify)
        assert done.status == 0, done.stderr
        assert [result["status"] for result in done.results] == ["ok"] * 18
        parts = 1 if "shared_file" in options else int(options.get("threads", 1))
        assert [result["bytes"] for result in done.results] == [parts << 20] * 18


def test_the_order_of_the_records_is_that_of_plain_calls(fsload: Fsload) -> None:
    tests = "write,random_read,backward_read,strided_read"
    plain, ring = (fsload(tests=tests, seed=3, **options).results for options in ({}, {**RING, "depth": 8}))
    assert [result["sequence"] for result in ring] == [result["sequence"] for result in plain]


@pytest.mark.parametrize("options", [{}, RING, {**RING, "depth": 4}], ids=str)
def test_a_record_that_is_cut_short_is_continued_until_it_fails(
    program: Path, tmp_path: Path, options: dict[str, Option]
) -> None:
    """The limit of a file's size lies in the second record: the first part is written, and the rest fails."""
    words = command(program, tmp_path, "sweep", file_sizes="1M,64K", record_sizes="64K", tests="write", **options)
    limited = ["prlimit", "--fsize=102400", "--", *words]
    done = subprocess.run(limited, capture_output=True, text=True, check=False)
    results = Run(done.returncode, done.stdout, done.stderr).results
    assert [result["status"] for result in results] == ["failed", "ok"]
    error = results[0]["error"]
    assert (error["call"], error["message"], error["file"]) == ("write", "File too large", "data.0")
    assert error["offset"] == 102400 or options.get("depth") == 4  # a later record may fail first


@pytest.mark.needs("loop devices")
@pytest.mark.needs("mkfs.ext4", package="e2fsprogs")
@pytest.mark.parametrize("direct", [{}, {"direct": True}], ids=str)
def test_direct_and_buffered_data_reach_a_disk_and_a_full_one_fails(
    program: Path, tmp_path: Path, direct: dict[str, Option]
) -> None:
    options: dict[str, Option] = {**RING, "depth": 8, "batch": 4, "registered": True, "verify": True, **direct}
    with mounted("ext4", tmp_path) as directory:
        done = run(program, directory, "sweep", file_sizes="4M", record_sizes="16K", **options)
        assert [result["status"] for result in done.results] == ["ok"] * 9, done.stderr
        words = command(
            program, directory, "sweep", file_sizes="64M,256K", record_sizes="64K", tests="write", **options
        )
        full = run_with(LIAR, tmp_path / "liar.so", words)
    assert (full.status, [result["status"] for result in full.results]) == (1, ["failed", "ok"])
    assert (full.results[0]["error"]["call"], full.results[0]["error"]["errno"]) == ("write", 28)


@pytest.mark.parametrize("rate", [{}, {"rate": 20}], ids=str)
def test_a_signal_ends_it_with_nothing_in_flight(program: Path, tmp_path: Path, rate: dict[str, Option]) -> None:
    options: dict[str, Option] = {**RING, "depth": 8, "seconds": 3600, "tests": "random_read", **rate}
    with subprocess.Popen(
        command(program, tmp_path, file_sizes="1M", **options),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr
        assert "1/1 random_read" in process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)
    assert process.returncode == 128 + signal.SIGTERM
    assert list(tmp_path.iterdir()) == []


def test_a_time_ends_a_test_and_the_next_one_has_a_complete_file(fsload: Fsload) -> None:
    options: dict[str, Option] = {**RING, "depth": 4, "verify": True}
    done = fsload(tests="write,read", operations=10, **options)
    assert [result["operations"] for result in done.results] == [10, 10]
    done = fsload(tests="read", seconds=0.05, **options)  # several times through the file
    [result] = done.results
    assert (result["status"], result["elapsed_ns"] >= 49_900_000) == ("ok", True)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"depth": 2}, "--depth, --batch, --registered: need --engine io_uring"),
        ({**RING, "batch": 2}, "--batch: cannot be greater than --depth"),
        ({**RING, "method": "mmap"}, "--method: chooses the calls of --engine sync"),
        ({**RING, "tests": "read,fread"}, "not a test for io_uring: fread"),
        ({"seconds": 1}, "--seconds, --operations: need --rate or --engine io_uring"),
        ({"arrivals": "poisson"}, "--arrivals: needs --rate"),
        ({"rate": 5, "method": "mmap"}, "--rate: cannot be had with --method mmap"),
    ],
)
def test_options_that_do_not_fit_together_are_wrong_usage(
    fsload: Fsload, options: dict[str, Option], words: str
) -> None:
    done = fsload(**options)
    assert (done.status, done.stdout) == (2, "")
    assert words in done.stderr


SETUP = 425  # the number of io_uring_setup, on every kind of machine


def forbid(error: int) -> None:
    """In the child: a seccomp filter under which io_uring_setup fails with this error."""
    load, jump_equal, give = 0x20, 0x15, 0x06
    rules = [(load, 0, 0, 0), (jump_equal, 0, 1, SETUP), (give, 0, 0, 0x00050000 | error), (give, 0, 0, 0x7FFF0000)]
    program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *rule) for rule in rules))
    described = struct.pack("HxxxxxxP", len(rules), ctypes.addressof(program))
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.prctl(38, 1, 0, 0, 0) == 0  # PR_SET_NO_NEW_PRIVS
    assert libc.prctl(22, 2, described, 0, 0) == 0  # PR_SET_SECCOMP


@pytest.mark.parametrize(("error", "words"), [(1, "this system forbids io_uring"), (38, "this kernel has no io_uring")])
def test_a_kernel_without_it_is_refused_before_anything_is_written(
    program: Path, tmp_path: Path, error: int, words: str
) -> None:
    done = subprocess.run(
        command(program, tmp_path, **({"file_sizes": "256K"} | RING)),
        capture_output=True, text=True, check=False, preexec_fn=lambda: forbid(error),
    )  # fmt: skip
    assert done.returncode == 3
    assert f"fsload: refused: {words}" in done.stderr
    assert '"result"' not in done.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.needs("root", package=None)
@pytest.mark.needs("setpriv", package="util-linux")
def test_memory_that_may_not_be_registered_fails_the_test(program: Path) -> None:
    def lock_little() -> None:
        resource.setrlimit(resource.RLIMIT_MEMLOCK, (1 << 16, 1 << 16))

    with in_memory() as directory:
        directory.chmod(0o777)
        words = command(program, directory, tests="write", depth=64, registered=True, **RING)
        ordinary = ["setpriv", "--reuid=65534", "--clear-groups", "--bounding-set=-all", *words]
        done = subprocess.run(ordinary, capture_output=True, text=True, check=False, preexec_fn=lock_little)
    [result] = Run(done.returncode, done.stdout, done.stderr).results
    assert (done.returncode, result["status"]) == (1, "failed")
    assert (result["error"]["call"], result["error"]["errno"]) == ("io_uring_register", 12)


def test_it_is_built_where_the_kernel_header_is_missing(build: Build, tmp_path: Path) -> None:
    objects = build("fsload").parent / "fsload.o"
    (tmp_path / "linux").mkdir()
    (tmp_path / "linux" / "io_uring.h").write_text("/* too old to have anything */\n")
    flags = ["-std=c17", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", f"-I{tmp_path}", f"-I{ENGINE}/src"]
    subprocess.run(["cc", *flags, "-c", "-o", tmp_path / "ring.o", ENGINE / "src/sweep/ring.c"], check=True)
    others = [path for path in objects.rglob("*.o") if path.name != "ring.o"]
    subprocess.run(["cc", "-pthread", "-o", tmp_path / "fsload", tmp_path / "ring.o", *others, "-lm"], check=True)
    done = run(tmp_path / "fsload", tmp_path, "sweep", file_sizes="64K", record_sizes="4K", **RING)
    assert done.status == 3
    assert "refused: fsload was built without io_uring" in done.stderr
