"""The engine's functions, called directly in a shared library built from the same sources."""

import ctypes
import random
import zlib
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.engine.conftest import Build
from tests.stats.distributions.hdr import counts_of

pytestmark = [pytest.mark.needs("cc", package="gcc"), pytest.mark.needs("make", package="make")]

U64 = ctypes.c_uint64
MAX_LATENCY = 2**46


class Histogram(ctypes.Structure):
    _fields_ = [("count", U64), ("sum", U64), ("max", U64), ("buckets", U64 * (40 * 128))]


class Permutation(ctypes.Structure):
    _fields_ = [("count", U64), ("mask", U64), ("half_bits", ctypes.c_uint), ("multipliers", U64 * 3)]


class Data(ctypes.Structure):
    _fields_ = [
        ("pool", ctypes.c_void_p),
        ("pool_size", ctypes.c_size_t),
        ("next", ctypes.c_size_t),
        ("stamp", U64),
        ("target", ctypes.c_void_p),
        ("target_size", ctypes.c_size_t),
    ]


@pytest.fixture(scope="session")
def library(build: Build) -> ctypes.CDLL:
    engine = ctypes.CDLL(str(build("libfsload.so")))
    engine.histogram_add.argtypes = [ctypes.c_void_p, U64]
    engine.histogram_quantile.restype = U64
    engine.histogram_mean.restype = ctypes.c_double
    engine.permutation_make.argtypes = [U64, U64]
    engine.permutation_make.restype = Permutation
    engine.permutation_at.argtypes = [ctypes.c_void_p, U64]
    engine.permutation_at.restype = U64
    engine.data_allocate.argtypes = [ctypes.c_void_p, ctypes.c_size_t, U64, ctypes.c_uint]
    engine.data_record.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    engine.data_record.restype = ctypes.c_void_p
    return engine


def order(library: ctypes.CDLL, count: int, seed: int) -> list[int]:
    made = library.permutation_make(count, seed)
    return [library.permutation_at(ctypes.byref(made), index) for index in range(count)]


@settings(max_examples=60, deadline=None)
@given(count=st.integers(1, 3000), seed=st.integers(0, 2**64 - 1))
def test_the_random_order_visits_every_record_once(library: ctypes.CDLL, count: int, seed: int) -> None:
    assert sorted(order(library, count, seed)) == list(range(count))


def test_the_random_order_depends_on_the_seed_and_on_nothing_else(library: ctypes.CDLL) -> None:
    assert order(library, 1000, 5) == order(library, 1000, 5)
    assert order(library, 1000, 5) != order(library, 1000, 6)


@pytest.mark.parametrize("count", [1000, 4096, 16384])
def test_the_random_order_is_no_stride(library: ctypes.CDLL, count: int) -> None:
    """The distance between consecutive records is as large as for random numbers, and seldom repeats."""
    places = order(library, count, 1)
    steps = [after - before for before, after in pairwise(places)]
    assert sum(abs(step) for step in steps) / len(steps) == pytest.approx(count / 3, rel=0.1)
    assert Counter(steps).most_common(1)[0][1] < 10


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(1, MAX_LATENCY - 1), min_size=1, max_size=500), st.sampled_from([5000, 9000, 9900, 9990, 9999])
)
def test_quantiles_are_within_one_percent(library: ctypes.CDLL, latencies: list[int], per_myriad: int) -> None:
    histogram = Histogram()
    for latency in latencies:
        library.histogram_add(ctypes.byref(histogram), latency)
    exact = sorted(latencies)[-(-len(latencies) * per_myriad // 10000) - 1]
    assert library.histogram_quantile(ctypes.byref(histogram), per_myriad) == pytest.approx(exact, rel=0.005)
    assert histogram.max == max(latencies)
    assert library.histogram_mean(ctypes.byref(histogram)) == pytest.approx(sum(latencies) / len(latencies))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(1, 2**40), min_size=1, max_size=200), st.sampled_from([1.0, 0.25, 0.3571]))
def test_a_printed_distribution_is_at_most_half_a_percent_off(
    library: ctypes.CDLL, tmp_path: Path, ticks: list[int], ns_per_tick: float
) -> None:
    histogram = Histogram()
    for each in ticks:
        library.histogram_add(ctypes.byref(histogram), each)
    counts = counts_of(printed(library, histogram, ns_per_tick, tmp_path / "printed"))
    in_order = [value for value in sorted(counts) for _ in range(counts[value])]
    exact = [each * ns_per_tick for each in sorted(ticks)]
    # The file has whole nanoseconds, so each latency is rounded twice.
    assert all(abs(value - each) <= 0.005 * each + 0.5 for value, each in zip(in_order, exact, strict=True)), in_order


def printed(library: ctypes.CDLL, histogram: Histogram, ns_per_tick: float, path: Path) -> str:
    libc = ctypes.CDLL(None)
    libc.fopen.restype = ctypes.c_void_p
    file = ctypes.c_void_p(libc.fopen(str(path).encode(), b"w"))
    library.hdr_print(file, ctypes.byref(histogram), ctypes.c_double(ns_per_tick))
    assert libc.fclose(file) == 0
    return path.read_text()


def test_merged_histograms_are_one(library: ctypes.CDLL) -> None:
    generator = random.Random(1)
    parts = [Histogram(), Histogram()]
    whole = Histogram()
    for number in range(2000):
        latency = generator.randrange(10**9)
        library.histogram_add(ctypes.byref(parts[number % 2]), latency)
        library.histogram_add(ctypes.byref(whole), latency)
    library.histogram_merge(ctypes.byref(parts[0]), ctypes.byref(parts[1]))
    assert bytes(parts[0]) == bytes(whole)


@pytest.mark.parametrize("latency", [MAX_LATENCY, 2**63])
def test_a_latency_beyond_the_last_bucket_is_counted(library: ctypes.CDLL, latency: int) -> None:
    histogram = Histogram()
    library.histogram_add(ctypes.byref(histogram), latency)
    assert (histogram.count, histogram.max) == (1, latency)


@pytest.fixture
def records(library: ctypes.CDLL) -> Iterator[list[bytes]]:
    """1024 records of 4 KiB, as a test writes them."""
    data = Data()
    assert library.data_allocate(ctypes.byref(data), 4096, 7, 0)
    yield [ctypes.string_at(library.data_record(ctypes.byref(data), 4096), 4096) for _ in range(1024)]
    library.data_free(ctypes.byref(data))


def test_written_data_do_not_compress(records: list[bytes]) -> None:
    whole = b"".join(records)
    assert whole
    for start in range(0, len(whole), 128 * 1024):
        window = whole[start : start + 128 * 1024]
        assert len(zlib.compress(window, 9)) >= len(window)


def test_no_two_written_blocks_are_equal(records: list[bytes]) -> None:
    assert len(set(records)) == len(records)


@pytest.mark.parametrize("size", [512, 4096, 12288, 1 << 20, 3 << 20])
def test_records_stay_inside_their_memory(library: ctypes.CDLL, size: int) -> None:
    data = Data()
    assert library.data_allocate(ctypes.byref(data), size, 1, 0)
    for _ in range(1000):
        start = library.data_record(ctypes.byref(data), size) - data.pool
        assert start % 4096 == 0
        assert 0 <= start <= data.pool_size - size
    library.data_free(ctypes.byref(data))
