import numpy as np
import pytest

from benchdb.stats import ClockVerdict, clock_verdicts, elapsed_from_throughput

KIB = 1024


@pytest.mark.parametrize(
    ("kib", "kib_per_second", "verdict"),
    [
        # Rows of iozone's auto mode: 64 KiB in 1 µs, 64 KiB in 53 µs, 64 MiB in 16 ms.
        (64, 64000000, ClockVerdict.UNUSABLE),
        (64, 1210227, ClockVerdict.COARSE),
        (65536, 4096000, ClockVerdict.FINE),
    ],
)
def test_iozones_clock(kib, kib_per_second, verdict):
    elapsed = elapsed_from_throughput(kib * KIB, kib_per_second * KIB)
    assert clock_verdicts(elapsed, 1e-6).verdict == (verdict,)


@pytest.mark.parametrize(
    ("ticks", "verdict"),
    [
        (0, ClockVerdict.UNUSABLE),
        (9, ClockVerdict.UNUSABLE),
        (10, ClockVerdict.COARSE),
        (99, ClockVerdict.COARSE),
        (100, ClockVerdict.FINE),
    ],
)
def test_borders_hold_for_times_recovered_from_throughput(ticks, verdict):
    # 9, 27 and 54 KiB are sizes for which conversion and back loses the last bit.
    sizes = np.array([9.0, 27.0, 54.0, 64.0, 7e9]) * KIB
    throughput = np.divide(sizes, ticks * 1e-6) if ticks else np.full(5, np.inf)
    verdicts = clock_verdicts(elapsed_from_throughput(sizes, throughput), 1e-6)
    assert verdicts.verdict == (verdict,) * 5
    np.testing.assert_allclose(verdicts.ticks, ticks, rtol=1e-9)


def test_each_cell_may_have_its_own_clock():
    found = clock_verdicts([1e-5, 1e-5, 1e-5], [1e-6, 1e-9, np.nan])
    assert found.verdict == (ClockVerdict.COARSE, ClockVerdict.FINE, ClockVerdict.UNKNOWN)
    np.testing.assert_allclose(found.ticks, [10, 1e4, np.nan])


@pytest.mark.parametrize(("elapsed", "tick"), [(np.nan, 1e-6), (1.0, 0.0), (-1.0, 1e-6), (np.inf, 1e-6)])
def test_what_is_no_time_has_no_verdict(elapsed, tick):
    found = clock_verdicts([elapsed], tick)
    assert found.verdict == (ClockVerdict.UNKNOWN,)
    assert np.isnan(found.ticks).all()


def test_no_time_can_be_recovered_from_a_throughput_of_zero():
    assert np.isnan(elapsed_from_throughput([1024.0], [0.0])).all()


def test_no_cells():
    assert clock_verdicts([], 1e-6).verdict == ()
