"""Runs of one workload on one machine, day after day, with a known level."""

from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User

from benchdb.runs.models import Run
from tests.support.comparing.comparisons import SPREAD, values
from tests.support.documents import GIB, MIB, STARTED, environment, result, target
from tests.support.store import store_run

OLD, NEW = "6.1.0-30-amd64", "6.1.0-31-amd64"
# Day by day, as a share of the level: about one per cent from one run to the next.
NOISE = (1.0, 1.01, 0.99, 1.005, 0.992, 1.012, 0.996, 1.003, 0.988, 1.008)


def on_kernel(release: str) -> dict[str, Any]:
    """The usual environment of tests with another kernel."""
    base = environment()
    return {**base, "kernel": {**base["kernel"], "release": release}}


def run_of_day(owner: User, day: int, level: float, *, file_system: str = "ext4", **sections: Any) -> Run:
    """A run of six rounds, written and read, `day` days after the first."""
    started = STARTED + timedelta(days=day)
    results = [
        result(values(level * share * NOISE[day % len(NOISE)]), test, file_size=32 * GIB, record_size=MIB)
        for test, share in (("write", 1), ("random_write", 0.1))
    ]
    times = {"started_at": started.isoformat(), "finished_at": (started + timedelta(minutes=9)).isoformat()}
    content = {"rounds": len(SPREAD), "results": results, "target": target(file_system), **times, **sections}
    return store_run(owner, file_system=file_system, **content)


def upgraded(
    owner: User, before: int = 8, after: int = 8, *, step: float = 0.88, file_system: str = "ext4", **sections: Any
) -> list[Run]:
    """Runs before and after an upgrade of the kernel that made them `step` times as fast."""
    levels = [100.0 * MIB] * before + [step * 100 * MIB] * after
    kernels = [OLD] * before + [NEW] * after
    return [
        run_of_day(owner, day, level, file_system=file_system, environment=on_kernel(kernel), **sections)
        for day, (level, kernel) in enumerate(zip(levels, kernels, strict=True))
    ]
