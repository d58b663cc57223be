import os
import subprocess
from math import ceil
from pathlib import Path

import pytest

from benchagent.formats import parse
from tests.engine.conftest import ENGINE, Build, Fsload, Option, run
from tests.plugins.missing import available
from tests.stats.distributions.hdr import counts_of

pytestmark = [pytest.mark.needs("cc", package="gcc"), pytest.mark.needs("make", package="make")]

TESTS = [
    *["write", "rewrite", "read", "reread", "random_read", "random_write", "backward_read", "record_rewrite"],
    *["strided_read", "fwrite", "frewrite", "fread", "freread"],
]


SHARES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p999": 0.999, "p9999": 0.9999}


def test_each_test_of_each_pair_of_sizes_in_each_repetition(fsload: Fsload) -> None:
    done = fsload(file_sizes="64K,1M", record_sizes="4K,128K", repetitions=2)
    assert done.status == 0
    pairs = [(64 << 10, 4 << 10), (1 << 20, 4 << 10), (1 << 20, 128 << 10)]
    assert [(r["repetition"], r["file_size"], r["record_size"], r["test"]) for r in done.results] == [
        (repetition, *pair, test) for repetition in (0, 1) for pair in pairs for test in TESTS
    ]
    assert [line["type"] for line in done.lines] == ["header", *["result"] * 78, "end"]
    assert done.lines[-1] == {"type": "end", "results": 78, "failed": 0, "signal": None}


def test_a_result_counts_every_record_once(fsload: Fsload) -> None:
    results = fsload(file_sizes="1M", record_sizes="4K", threads=3).results
    assert results
    for result in results:
        assert (result["status"], result["operations"], result["bytes"]) == ("ok", 3 * 256, 3 << 20)
        assert result["threads"] == 3


def test_times_fit_together(fsload: Fsload) -> None:
    results = fsload(file_sizes="8M").results
    assert results
    for result in results:
        latency = result["latency_ns"]
        percentiles = [latency[name] for name in (*SHARES, "max")]
        assert percentiles[0] > 0
        assert percentiles == sorted(percentiles)
        assert latency["mean"] * result["operations"] <= 1.002 * result["elapsed_ns"]
        assert result["cpu_of_one_core"] == pytest.approx(result["cpu_ns"] / result["elapsed_ns"], abs=1e-4)
        assert result["cpu_of_all_cores"] == pytest.approx(result["cpu_of_one_core"] / (os.cpu_count() or 1), abs=1e-4)
        assert 0 < result["cpu_ns"] <= 1.05 * result["elapsed_ns"] + 1e6


def test_a_distribution_has_every_operation_and_the_printed_percentiles(fsload: Fsload) -> None:
    results = fsload(file_sizes="1M,8M", record_sizes="4K,64K", threads=2).results
    assert results
    for result in results:
        latency = result["latency_ns"]
        counts = counts_of(latency["histogram"])
        in_order = [value for value in sorted(counts) for _ in range(counts[value])]
        assert len(in_order) == result["operations"]
        for name, share in SHARES.items():
            exact = in_order[ceil(share * len(in_order)) - 1]
            assert latency[name] == pytest.approx(exact, rel=0.002, abs=1)


def test_the_header_says_what_was_asked(fsload: Fsload) -> None:
    header = fsload(tests="read", threads=2, seed=9, fsync=True).lines[0]
    assert (header["type"], header["schema"]) == ("header", "fsload/2")
    assert header["command"][:3] == ["fsload", "sweep", "--directory"]
    assert (header["clock"]["name"], header["clock"]["resolution_ns"]) == ("CLOCK_MONOTONIC", 1)
    assert header["clock"]["latencies"] in {"TSC", "CLOCK_MONOTONIC"}
    assert header["cpus"] == os.cpu_count()
    wanted = {
        "command": "sweep",
        "file_sizes": [256 << 10],
        "record_sizes": [4 << 10],
        "tests": ["read"],
        "threads": 2,
        "repetitions": 1,
        "seed": 9,
        "min_free": 1 << 20,
        "fsync": True,
        "direct": False,
        "method": "read_write",
        "stride": 17,
    }
    assert {name: header["parameters"][name] for name in wanted} == wanted


def test_a_directory_whose_name_is_no_utf_8_or_needs_escapes(program: Path, tmp_path: Path) -> None:
    odd = tmp_path / 'a "quoted" \\ name\n\udcff é'
    odd.mkdir()
    done = run(program, odd)
    assert (done.status, done.lines[0]["command"][3]) == (0, str(odd).replace("\udcff", "�"))


@pytest.mark.parametrize("test", TESTS)
def test_a_test_alone_makes_the_file_it_needs(fsload: Fsload, test: str) -> None:
    done = fsload(tests=test)
    assert (done.status, [(r["test"], r["status"], r["operations"]) for r in done.results]) == (0, [(test, "ok", 64)])


def test_direct_io_where_the_file_system_has_it(fsload: Fsload) -> None:
    """tmpfs before Linux 6.6 refuses O_DIRECT; then only the tests fail, with the kernel's message."""
    results = fsload(direct=True).results
    assert {result["status"] for result in results} in ({"ok"}, {"failed"})
    for result in results:
        if result["status"] == "failed":
            assert result["error"]["message"] == "Invalid argument"


def test_our_own_parser_reads_it(fsload: Fsload) -> None:
    done = fsload(file_sizes="1M", record_sizes="64K", repetitions=3, threads=2)
    parsed = parse(done.stdout)
    throughput = {result.test: result.values for result in parsed.results if result.metric == "throughput"}
    assert list(throughput) == TESTS
    assert throughput["read"] == tuple(r["bytes"] * 1e9 / r["elapsed_ns"] for r in done.results if r["test"] == "read")
    assert parsed.warnings == ()


def test_progress_is_on_stderr(fsload: Fsload) -> None:
    assert fsload(tests="write,read").stderr.splitlines() == [
        "1/2 write 256 KiB in records of 4 KiB",
        "2/2 read 256 KiB in records of 4 KiB",
    ]


@pytest.mark.parametrize("target", ["fsload-asan", "fsload-tsan"])
def test_sanitizers_find_nothing(build: Build, tmp_path: Path, target: str) -> None:
    sanitized = build(target)
    sizes: dict[str, Option] = {"file_sizes": "1M,256K", "record_sizes": "512,4K,64K"}
    variants: list[dict[str, Option]] = [
        {"threads": 4, "repetitions": 2, "fsync": True, **sizes},
        {"threads": 3, "shared_file": True, "verify": True, "interactive": 100, **sizes},
        {"threads": 2, "method": "mmap", "close": True},
        {"threads": 1, "method": "positional", "no_latencies": True},
        {"threads": 2, "rate": 1e6, "arrivals": "poisson", "operations": 200},
        *([{"threads": 2, "engine": "io_uring", "depth": 5, "registered": True}] if available("io_uring") else []),
    ]
    for options in variants:
        done = run(sanitized, tmp_path, **options)
        assert done.status == 0, done.stderr
        assert "Sanitizer" not in done.stderr
    assert run(sanitized, tmp_path / "absent").status == 3
    assert run(sanitized, tmp_path, file_sizes="4x").status == 2


def test_one_cc_line_builds_it(tmp_path: Path) -> None:
    """The line of the README builds the program in an empty folder."""
    [line] = [text for text in (ENGINE / "README.md").read_text().splitlines() if text.startswith("cc ")]
    build_command = line.split("#")[0].replace("src/", f"{ENGINE}/src/")
    subprocess.run(["sh", "-c", build_command], cwd=tmp_path, check=True)
    version = subprocess.run([tmp_path / "fsload", "--version"], capture_output=True, text=True, check=True)
    assert version.stdout == "fsload 0.2.0\n"
