"""fsload sweep with operations that arrive at a rate: when they arrive, and what their latency counts from."""

import ctypes
import re
import signal
import subprocess
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from benchagent.formats import parse
from tests.engine.conftest import Build, Fsload, Option, Run, command
from tests.plugins.missing import require
from tests.texts import missing_in

pytestmark = [pytest.mark.needs("cc", package="gcc"), pytest.mark.needs("make", package="make")]

ENGINES: list[dict[str, Option]] = [{}, {"engine": "io_uring", "depth": 4}]
engines = pytest.mark.parametrize("engine", ENGINES, ids=["sync", "io_uring"])


@pytest.fixture(autouse=True)
def _has_engine(request: pytest.FixtureRequest) -> None:
    if "engine" in request.fixturenames and request.getfixturevalue("engine"):
        require("io_uring")


def only(done: Run) -> dict[str, Any]:
    [result] = done.results
    return result


@engines
@pytest.mark.parametrize("threads", [1, 3])
def test_no_operation_begins_before_it_arrives(fsload: Fsload, engine: dict[str, Option], threads: int) -> None:
    done = only(fsload(tests="random_read", rate=500, operations=100, threads=threads, **engine))
    assert (done["operations"], done["due"], done["ended_by"]) == (100 * threads, 100 * threads, "operations")
    assert done["elapsed_ns"] >= 99 * 2_000_000 * 0.999  # the rate of the processor's counter is known to 1 in 10,000


@engines
def test_a_time_ends_the_arrivals(fsload: Fsload, engine: dict[str, Option]) -> None:
    done = only(fsload(tests="random_read", rate=1000, seconds=0.2, **engine))
    assert (done["operations"], done["due"], done["ended_by"]) == (200, 200, "time")


class Arrivals(ctypes.Structure):
    """struct arrivals of sweep/arrivals.h."""

    _fields_ = (
        ("interval", ctypes.c_double),
        ("poisson", ctypes.c_bool),
        ("random", ctypes.c_uint64),
        ("start", ctypes.c_uint64),
        ("next", ctypes.c_double),
        ("end", ctypes.c_double),
        ("patience", ctypes.c_uint64),
    )


def test_random_arrivals_are_a_poisson_process_that_depends_on_the_seed(build: Build) -> None:
    library = ctypes.CDLL(str(build("libfsload.so")))

    def gaps(seed: int) -> list[float]:
        arrivals, times = Arrivals(1000.0, True, seed, 0, 0.0, 0.0, 0), [0.0]
        for _ in range(20_000):
            library.arrivals_pass(ctypes.byref(arrivals))
            times.append(arrivals.next)
        return [later - earlier for earlier, later in pairwise(times)]

    assert gaps(1) == gaps(1) != gaps(2)
    assert stats.kstest(gaps(1), "expon", args=(0, 1000.0)).pvalue > 0.001


@engines
def test_a_stall_delays_all_operations_that_arrive_meanwhile(
    program: Path, tmp_path: Path, engine: dict[str, Option]
) -> None:
    """The process is stopped for a third of its time, in which a third of the operations arrive."""
    paced: dict[str, Option] = {"tests": "write", "rate": 1000, "operations": 900, **engine}
    words = command(program, tmp_path, "sweep", file_sizes="4M", record_sizes="4K", **paced)
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        while not any(path.stat().st_size for path in tmp_path.glob("fsload.*/*/data.0")):
            assert process.poll() is None
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.3)  # the stall that is measured
        process.send_signal(signal.SIGCONT)
        stdout, _ = process.communicate(timeout=60)
    done = only(Run(process.returncode, stdout, ""))
    assert done["operations"] == 900
    assert done["latency_ns"]["max"] >= 290_000_000
    assert done["latency_ns"]["p90"] >= 100_000_000, "a closed loop would have one slow operation"


def test_a_device_that_cannot_keep_up_is_named_and_the_test_ends(fsload: Fsload) -> None:
    done = fsload(file_sizes="64M", record_sizes="1M", tests="read", rate=1e6, seconds=0.05)
    result = only(done)
    assert (result["status"], result["ended_by"], result["due"]) == ("ok", "overload", 50_000)
    assert result["operations"] < 50_000
    [warning] = parse(done.stdout).warnings
    assert not missing_in(
        warning,
        "read: the device did not keep up with the rate",
        f"{result['operations']} of 50000 operations that arrived were done",
    )


def test_a_rate_is_a_part_of_what_was_measured(fsload: Fsload) -> None:
    parsed = parse(fsload(tests="read", rate=2000.5, arrivals="poisson", operations=4).stdout)
    assert {tuple(sorted(result.params.items())) for result in parsed.results} == {
        (("arrivals", "poisson"), ("operations", 4), ("rate", 2000.5))
    }
    assert {"rate", "throughput", "latency_mean"} <= {result.metric for result in parsed.results}


@pytest.mark.parametrize(("elapsed", "behind", "warned"), [(10.0, 0.4, False), (10.0, 0.6, True), (0.2, 0.09, False)])
def test_a_queue_that_grew_is_a_warning(fsload: Fsload, elapsed: float, behind: float, warned: bool) -> None:
    """An operation that began late has a warning if it did so by more than a twentieth of the time, and 0.1 s."""
    text = fsload(tests="read", rate=1e5, operations=4, repetitions=2).stdout
    text = re.sub(r'"elapsed_ns":\d+', f'"elapsed_ns":{elapsed * 1e9:.0f}', text)
    text = re.sub(r'"behind_ns":\d+', f'"behind_ns":{behind * 1e9:.0f}', text)
    warnings = parse(text).warnings
    assert len(warnings) == warned
    assert all("in 2 of 2 repetitions; at worst, 4 of 4 operations" in warning for warning in warnings)
