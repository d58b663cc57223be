"""The verdicts on what requests need, and the memory of processes; the load itself is not in the suite."""

import mmap
import os
import subprocess
import sys

import pytest

from tests.load.memory import MB, Peaks, Processes, forget_most, own_memory, resident, unchanged
from tests.load.needed import Needed

SIZE = 64 * MB
TAKES = f"import sys; sys.stdin.readline(); taken = b'x' * {SIZE}; del taken; print(flush=True); sys.stdin.readline()"


@pytest.mark.parametrize(
    ("status", "most", "kept", "wrong"),
    [(200, 399, 249, 0), (200, 401, 0, 1), (200, 0, 250, 1), (404, 0, 0, 1), (500, 500, 500, 3)],
)
def test_the_bounds(status: int, most: float, kept: float, wrong: int) -> None:
    assert len(Needed("a table", status, 1.0, 1.0, {"web": most}, {"web": kept}).wrong) == wrong


def test_freed_memory_counts_for_the_most_and_not_for_what_is_left() -> None:
    forget_most(os.getpid())
    before, own = resident(os.getpid())[0], own_memory(os.getpid())
    with mmap.mmap(-1, SIZE) as taken:
        taken.write(b"x" * SIZE)
        assert own_memory(os.getpid()) > own + 0.9 * SIZE / MB

    now, most = resident(os.getpid())
    assert most > before + 0.9 * SIZE / MB
    assert now < before + 0.5 * SIZE / MB


def test_the_peak_of_a_child_is_found() -> None:
    with subprocess.Popen([sys.executable, "-c", TAKES], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin
        assert child.stdout
        processes = Processes(os.getpid(), ())
        processes.tops = {child.pid: "web"}
        with Peaks(processes) as peaks:
            child.stdin.write(b"\n")
            child.stdin.flush()
            child.stdout.readline()
        child.stdin.close()

    assert peaks.seen[child.pid].needed > 0.9 * SIZE / MB


def test_settled_means_the_same_processes_with_the_same_memory() -> None:
    before = {1: ("web", 100.0), 2: ("worker", 50.0)}

    assert unchanged(before, {1: ("web", 100.1), 2: ("worker", 50.0)})
    assert not unchanged(before, {1: ("web", 101.0), 2: ("worker", 50.0)})
    assert not unchanged(before, {1: ("web", 100.0)})
