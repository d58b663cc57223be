"""The verdicts of `make load` on memory; the load itself is not in the test suite."""

from __future__ import annotations

import os

import pytest

from tests.load.watching import EVERY_SECONDS, JUDGED_FROM, Watch, measured

STEPS = int(JUDGED_FROM / EVERY_SECONDS) + 1


def watched(rise: float, steps: int = STEPS) -> Watch:
    """A part of about 100 MiB that grows by `rise` over the second half, with one outlier among the samples."""
    watch = Watch("", 0)
    for step in range(steps):
        used = 100 + rise * step / (steps - 1) * 2 + (50 if step == steps - 3 else 0)
        watch.samples.append((step * EVERY_SECONDS, {"web": used}))
        watch.used.append({"web": step * EVERY_SECONDS / 2})
    watch.processes = {"web": 3}
    return watch


@pytest.mark.parametrize(("rise", "flat"), [(0, True), (3.5, True), (6, False), (-20, True)])
def test_a_part_may_rise_by_little(rise: float, flat: bool) -> None:
    (growth,) = watched(rise).growths()
    assert growth.rise == pytest.approx(rise, abs=0.3)
    assert (growth.flat, growth.cores, growth.processes) == (flat, 0.5, 3)


def test_a_short_time_says_nothing() -> None:
    assert watched(0).judged
    assert not watched(0, STEPS - 1).judged


def test_memory_and_time_of_a_process_are_its_own() -> None:
    memory, used, number = measured(os.getpid())
    assert memory["supervisor"] > 1
    assert used["supervisor"] > 0
    assert number["supervisor"] >= 1
