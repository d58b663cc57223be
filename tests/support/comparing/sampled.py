"""Runs with samples of the machine, whose totals are known."""

from typing import Any

from benchagent.formats.sampled import SAMPLED
from tests.support.comparing.comparisons import SPREAD
from tests.support.documents import series

# In a round of 10 s that writes 1 GiB.
USUAL = {
    "device_flushes": 1024.0,
    "device_writes": 4096.0,
    "device_write_bytes": 2.0**30,
    "device_write_time": 8.192,
    "device_busy_time": 5.0,
    "cpu_system": 4.0,
    "memory_dirty": 2.0**28,
    "temperature_cpu": 50.0,
}
SCALE = 0.001
_SECONDS = 10


def sampled(rounds: int = len(SPREAD), **changed: float) -> list[dict[str, Any]]:
    """The series of each round: the usual totals, or these instead, with half a per cent of noise."""
    totals = {**USUAL, **changed}
    return [_series(name, total, number) for number in range(rounds) for name, total in totals.items()]


def _series(name: str, total: float, number: int) -> dict[str, Any]:
    # Each quantity has its own order of good and bad rounds.
    value = round(total * SPREAD[(number + len(name)) % len(SPREAD)] / SCALE)
    points = [value * step // _SECONDS for step in range(1, _SECONDS + 1)] if SAMPLED[name].grows else [value]
    step = 1.0 if SAMPLED[name].grows else float(_SECONDS)
    return series(points, name=name, round=number, step=step, scale=SCALE)
