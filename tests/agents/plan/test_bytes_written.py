"""Bytes that a workload writes: counted by hand, and compared with the programs' actual requests."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from benchagent.plan.model import Workload
from benchagent.plan.workloads import bytes_written, own_seconds
from benchagent.toml.tables import Parameters
from benchagent.tools import TOOLS, CommandContext

KIB, MIB, GIB = 2**10, 2**20, 2**30


def count(tool: str, parameters: Parameters, memory: int | None = None) -> int | None:
    return bytes_written(Workload("w", tool, parameters), memory)


@pytest.mark.parametrize(
    ("tool", "parameters", "expected"),
    [
        ("fsload", {"file_sizes": [MIB], "record_sizes": [4 * KIB], "tests": ["write"]}, MIB),
        ("fsload", {"file_sizes": [MIB], "record_sizes": [4 * KIB, 2 * MIB], "tests": ["write", "read"]}, MIB),
        ("fsload", {"file_sizes": [MIB], "record_sizes": [4 * KIB]}, 6 * MIB),
        ("fsload", {"file_sizes": [MIB], "record_sizes": [4 * KIB], "tests": ["write"], "threads": 4}, 4 * MIB),
        (
            "fsload",
            {"file_sizes": [MIB], "record_sizes": [KIB], "tests": ["write"], "threads": 4, "shared_file": True},
            MIB,
        ),
        ("fsload", {"file_sizes": [MIB], "record_sizes": [4 * KIB], "engine": "io_uring"}, 4 * MIB),
        ("iozone", {"file_sizes": [MIB], "record_sizes": [KIB], "tests": ["write", "random_read"]}, 3 * MIB),
        ("iozone", {"file_sizes": [MIB], "tests": ["write"]}, 2 * MIB),
        (
            "iozone",
            {"auto": True, "max_file_size": 128 * KIB, "max_record_size": 8 * KIB, "tests": ["write"]},
            768 * KIB,
        ),
        # 64 KiB, 128 KiB, …, 16 MiB with all records up to their size; 32 MiB only with 64 KiB and more.
        (
            "iozone",
            {"auto": True, "min_file_size": 32 * MIB, "max_file_size": 32 * MIB, "tests": ["write"]},
            2 * 288 * MIB,
        ),
        # 512 MiB is the largest file of auto mode.
        ("iozone", {"auto": True, "min_file_size": 512 * MIB, "tests": ["write"]}, 2 * 9 * 512 * MIB),
        ("bonnie++", {"file_size": GIB}, 3 * GIB),
        ("bonnie++", {"file_size": GIB, "char_tests": False}, 2 * GIB),
        ("bonnie++", {"files": 1024, "max_size": 100, "min_size": 50}, 2 * 1024 * 75),
        ("maintenance", {"fill": MIB}, MIB),
        ("maintenance", {}, 0),
        ("mkfs", {"size": GIB}, 0),
    ],
)
def test_counts(tool: str, parameters: Parameters, expected: int) -> None:
    assert count(tool, parameters) == expected


def test_what_flushes_the_caches_counts() -> None:
    bulk: Parameters = {"command": "bulk", "total_size": GIB}
    assert count("fsload", bulk, 256 * MIB) == GIB + 512 * MIB
    assert count("fsload", {**bulk, "controller_cache": 128 * MIB, "flush_multiple": 1.0}, 256 * MIB) == GIB + 384 * MIB
    assert count("fsload", {**bulk, "flush_multiple": 0}) == GIB
    assert count("fsload", bulk) is None, "nobody knows how large the caches are"


@pytest.mark.parametrize("command", ["mix", "wml", "metadata", "age"])
def test_what_time_or_files_decide_is_unknown(command: str) -> None:
    assert count("fsload", {"command": command}, GIB) is None


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({}, None),
        ({"seconds": 2.0, "rate": 5.0}, 4.0),
        ({"seconds": 2.0, "engine": "io_uring", "tests": ["read"], "record_sizes": [KIB, 4 * KIB, 2 * MIB]}, 4.0),
        ({"rate": 64.0}, 8.0),
        ({"rate": 50.0, "operations": 100}, 4.0),
        ({"command": "mix", "seconds": 3.0}, 3.0),
    ],
)
def test_times_are_those_of_all_tests(parameters: Parameters, expected: float | None) -> None:
    base: Parameters = {"file_sizes": [MIB], "record_sizes": [4 * KIB], "tests": ["read", "random_read"]}
    assert own_seconds("fsload", {**base, **parameters}) == expected


@pytest.mark.needs("cc", package="gcc")
@pytest.mark.parametrize(
    "parameters",
    [
        {"command": "tree", "levels": 2, "directories": 3, "files": 4, "file_size": 5000, "threads": 2},
        {"command": "bulk", "total_size": 3 * MIB, "file_size": MIB, "flush_multiple": 0},
        {"file_sizes": [MIB, 2 * MIB], "record_sizes": [64 * KIB, 2 * MIB]},
    ],
    ids=["tree", "bulk", "sweep"],
)
def test_fsload_writes_so_much(parameters: Parameters, program: Path, tmp_path: Path) -> None:
    command = TOOLS["fsload"].command(parameters, CommandContext(seed=0, root=False))
    done = subprocess.run([program, *command[1:]], cwd=tmp_path, capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    written = sum(line["bytes"] for line in lines if line["type"] == "result" and _writes(line["test"]))
    assert written == count("fsload", parameters)


def _writes(test: str) -> bool:
    return "write" in test or test.endswith("create")
