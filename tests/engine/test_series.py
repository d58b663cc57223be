"""The steps of a measurement: what each thread did in each of them."""

import ctypes
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchdb.stats.settling import steady_windows
from tests.engine.conftest import Build, Fsload, Option
from tests.plugins.missing import available

pytestmark = [pytest.mark.needs("cc", package="gcc"), pytest.mark.needs("make", package="make")]

U64 = ctypes.c_uint64
STEPS = 600
PROFILE = """
num_filesystems=1
num_threadgroups=1
directio=0
time=1
[filesystem0]
location=/mnt
num_files=20
min_filesize=4096
max_filesize=4096
[end0]
[threadgroup0]
num_threads=2
readall_weight=1
read_blocksize=4096
[end0]
"""


class Step(ctypes.Structure):
    _fields_ = [("operations", U64), ("bytes", U64), ("longest", U64)]


class Series(ctypes.Structure):
    _fields_ = [("end", U64), ("width", U64), ("count", ctypes.c_uint), ("steps", ctypes.POINTER(Step))]


@pytest.fixture(scope="session")
def library(build: Build) -> ctypes.CDLL:
    engine = ctypes.CDLL(str(build("libfsload.so")))
    engine.series_allocate.restype = ctypes.c_bool
    engine.series_start.argtypes = [ctypes.c_void_p, U64, U64]
    engine.series_close.argtypes = [ctypes.c_void_p, Step, U64]
    engine.steady_add.restype = ctypes.c_bool
    engine.steady_reached.restype = U64
    return engine


def expected(times: Sequence[int], width: int, end: int) -> tuple[int, list[tuple[int, int, int]]]:
    """The width and the complete steps of operations that end at these times, each as long and as large as its time."""
    while end // width >= STEPS:
        width *= 2
    steps = []
    for number in range(end // width):
        own = [each for each in times if number * width <= each < (number + 1) * width]
        steps.append((len(own), sum(own), max(own, default=0)))
    return width, steps


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(gaps=st.lists(st.integers(0, 90), max_size=400), rest=st.integers(0, 5000), width=st.integers(1, 7))
def test_steps_double_and_lose_nothing(library: ctypes.CDLL, gaps: list[int], rest: int, width: int) -> None:
    """Operations are counted as the threads count them: steps are closed before the first operation after them."""
    start, now, pending, times, series = 1000, 0, [0, 0, 0], list[int](), Series()
    assert library.series_allocate(ctypes.byref(series))
    library.series_start(ctypes.byref(series), start, width)
    for gap in gaps:
        now += gap
        if start + now >= series.end:
            library.series_close(ctypes.byref(series), Step(*pending), start + now)
            pending = [0, 0, 0]
        pending = [pending[0] + 1, pending[1] + now, max(pending[2], now)]
        times.append(now)
    library.series_close(ctypes.byref(series), Step(*pending), start + now + rest)
    steps = [(step.operations, step.bytes, step.longest) for step in series.steps[: series.count]]
    assert (series.width, steps) == expected(times, width, now + rest)
    library.series_free(ctypes.byref(series))


def test_a_result_of_two_seconds_has_a_series(fsload: Fsload, tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    profile.write_text(PROFILE)
    before = time.monotonic_ns()
    done = fsload("mix", str(profile), seconds=2)
    after = time.monotonic_ns()
    [whole] = [line for line in done.results if line["test"] == "mix"]
    series = whole["series"]
    operations, moved, longest = zip(*series["steps"], strict=True)
    assert len(operations) == pytest.approx(whole["elapsed_ns"] / series["step_ns"], abs=1)
    assert series["step_ns"] == pytest.approx(100_000_000, rel=0.01)
    assert before < series["start_ns"] < series["start_ns"] + whole["elapsed_ns"] < after
    assert 0 < sum(operations) <= whole["operations"]
    assert moved == tuple(4096 * number for number in operations)
    assert max(longest) <= whole["latency_ns"]["max"] <= whole["elapsed_ns"]
    assert "series" not in fsload("mix", str(profile), seconds=2, no_latencies=True).results[0]


class Steady(ctypes.Structure):
    _fields_ = [
        ("mutex", ctypes.c_byte * 40),
        ("bucket_ticks", U64),
        ("operations", U64 * 576),
        ("reached", ctypes.c_uint),
    ]


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(80, 125), min_size=7, max_size=12), st.lists(st.integers(0, 300), max_size=8))
def test_a_run_is_steady_by_the_rule_of_the_page(library: ctypes.CDLL, near: list[int], wild: list[int]) -> None:
    """Two threads add up to the rates of buckets of 16 ticks; the last two are not judged yet."""
    rates, steady = [*wild, *near], Steady()
    library.steady_start(ctypes.byref(steady), U64(1))
    reached = [
        library.steady_add(ctypes.byref(steady), U64(16 * bucket + thread), U64(rate // 2 + thread * (rate % 2)))
        for bucket, rate in enumerate(rates)
        for thread in range(2)
    ]
    windows = steady_windows(np.array(rates[:-2], dtype=np.float64))
    first = int(np.argmax(windows)) + 5 if windows.any() else 0
    assert library.steady_reached(ctypes.byref(steady)) == 16 * first
    assert reached.index(True) == 2 * (first + 1) if first else not any(reached)


def test_a_run_ends_when_it_is_steady(fsload: Fsload, tmp_path: Path) -> None:
    """A delay after each operation, or arrivals at a rate, make the rate steady, also on a busy machine."""
    profile = tmp_path / "profile"
    profile.write_text(PROFILE.replace("[threadgroup0]", "[threadgroup0]\nop_delay=20"))
    paced: dict[str, Option] = {"seconds": 60, "steady_state": True, "tests": "random_read", "rate": 100}
    rings: list[dict[str, Option]] = [{"engine": "io_uring", "depth": 2}] if available("io_uring") else []
    with ThreadPoolExecutor() as pool:
        mix = pool.submit(fsload, "mix", str(profile), seconds=60, steady_state=True)
        sweeps = [pool.submit(fsload, **paced, **options) for options in ({}, *rings)]
        runs = [each.result() for each in (mix, *sweeps)]
    for done in runs:
        whole = done.results[0]
        assert whole["ended_by"] == "steady_state", done.stderr
        assert 7.99e9 <= whole["steady_state_ns"] < whole["elapsed_ns"] < 60e9
    short = fsload("mix", str(profile), seconds=1, steady_state=True).results[0]
    assert (short["ended_by"], short["steady_state_ns"]) == ("time", None)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"seconds": 901, "rate": 1}, "--steady-state needs a time of at most 900 seconds"),
        ({"operations": 9, "rate": 1}, "--steady-state: needs --seconds, the longest time of a test"),
        ({"seconds": 9, "rate": 1, "no_latencies": True}, "--steady-state needs the time of each operation"),
    ],
)
def test_a_run_that_cannot_end_when_it_is_steady_is_refused(
    fsload: Fsload, options: dict[str, Option], words: str
) -> None:
    refused = fsload(steady_state=True, **options)
    assert (refused.status, refused.stdout) == (2, "")
    assert words in refused.stderr


def test_a_shorter_result_has_none(fsload: Fsload) -> None:
    assert all("series" not in result for result in fsload(threads=2).results)
