"""Runs of one test at rising numbers of threads, with a known knee."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User

from benchdb.runs.models import Run
from tests.support.comparing.comparisons import SPREAD, campaign, values
from tests.support.documents import GIB, KIB, result
from tests.support.store import store_run

LEVELS = (1, 2, 4, 8, 16, 32)
KNEES: Mapping[str, float] = {"ext4": 8, "xfs": 4}
SERVICE = 1e-3  # seconds: the latency of an operation that waits for no other


def response_runs(
    owner: User, knees: Mapping[str, float] | None = None, levels: Sequence[int] = LEVELS, **sections: Any
) -> list[Run]:
    """A run for each level on each file system, whose device serves `knees` operations at once."""
    shared = {"campaign": campaign(), **sections}
    return [
        store_run(
            owner,
            file_system=name,
            rounds=len(SPREAD),
            results=results_at(level, channels),
            workload=_workload(level),
            **shared,
        )
        for name, channels in (knees or KNEES).items()
        for level in levels
    ]


def results_at(threads: int, channels: float) -> list[dict[str, Any]]:
    """Throughput and latencies of a closed system: beyond its channels, more threads only wait."""
    latency = SERVICE * max(1.0, threads / channels)
    place = {"file_size": GIB, "record_size": 4 * KIB, "threads": threads}
    return [
        result(values(threads / latency * 4 * KIB), "random_read", **place),
        *(
            result(values(share * latency)[::-1], "random_read", metric=metric, unit="s", **place)
            for metric, share in (("latency_mean", 1.0), ("latency_p99", 3.0))
        ),
    ]


def _workload(threads: int) -> dict[str, Any]:
    return {
        "tool": "fsload",
        "tool_version": "0.1.0",
        "command": ["fsload", "sweep", "--threads", str(threads)],
        "parameters": {"threads": threads, "tests": ["random_read"]},
    }
