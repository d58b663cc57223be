"""Runs to compare: file systems side by side, with values of a known order."""

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User

from benchdb.runs.models import Run
from tests.support.documents import GIB, KIB, MIB, artifact, document, result, uuid7
from tests.support.store import store_run

# Round by round, as a share of the mean: a spread of about half a per cent.
SPREAD = (0.995, 1.004, 1.001, 0.998, 1.006, 0.996)
MEANS = {"ext4": 100 * MIB, "xfs": 120 * MIB, "btrfs": 101 * MIB}
TESTS = ("write", "read")


def campaign() -> dict[str, str]:
    """The `campaign` section of runs that belong together."""
    return {"id": str(uuid4()), "point": "p"}


def values(mean: float, rounds: int = len(SPREAD)) -> list[float]:
    """Values around a mean, the same at each call."""
    return [mean * share for share in SPREAD[:rounds]]


def compared_runs(
    owner: User, means: dict[str, float] | None = None, *, record_sizes: Sequence[int] = (MIB,), **sections: Any
) -> list[Run]:
    """One run per file system, in one campaign: xfs is clearly better than ext4, btrfs is equivalent."""
    shared = {"campaign": campaign(), **sections}
    return [
        store_run(owner, file_system=name, rounds=len(SPREAD), results=_results(mean, record_sizes), **shared)
        for name, mean in (means or MEANS).items()
    ]


def compared_document(file_system: str, mean: float, **sections: Any) -> dict[str, Any]:
    """The document of one of `compared_runs`."""
    return document(file_system=file_system, rounds=len(SPREAD), results=_results(mean, (MIB,)), **sections)


def _results(mean: float, record_sizes: Sequence[int]) -> list[dict[str, Any]]:
    return [
        result(values(mean * (1 + i)), test, file_size=32 * GIB, record_size=size, source=_source(i))
        for size in record_sizes
        for i, test in enumerate(TESTS)
    ]


def _source(i: int) -> dict[str, Any]:
    return {"artifacts": ["iozone.txt"] * len(SPREAD), "lines": [i + 1] * len(SPREAD)}


def surface_run(owner: User, *, rounds: int = 2, factor: float = 1, **sections: Any) -> Run:
    """A stored run with `grid_results`."""
    results = grid_results(rounds, factor)
    return store_run(owner, rounds=rounds, results=results, artifacts=[artifact("iozone.txt", "raw\n")], **sections)


def fine_run(owner: User) -> Run:
    """A run with more cells than a page's table may have, without those whose record is larger than the file."""
    results = [
        result([(200 + 6 * i + 4 * j) * MIB], file_size=64 * KIB * (i + 1), record_size=4 * KIB * (j + 1))
        for i in range(46)
        for j in range(min(46, 16 * (i + 1)))
    ]
    return store_run(owner, rounds=1, results=results, artifacts=[artifact("iozone.txt", "raw\n")])


def grid_results(rounds: int = 2, factor: float = 1) -> list[dict[str, Any]]:
    """A grid of record and file sizes: one cell was never measured, one failed, one was too fast."""
    results = []
    for i, file_size in enumerate((64 * KIB, 256 * KIB, MIB)):
        for j, record_size in enumerate((4 * KIB, 64 * KIB, 256 * KIB)):
            sizes = {"file_size": file_size, "record_size": record_size}
            if record_size > file_size:
                continue
            if (i, j) == (1, 1):
                results.append(result([None] * rounds, status="failed", error="Input/output error", **sizes))
            elif (i, j) == (2, 2):
                results.append(result([None] * rounds, status="unmeasurable", **sizes))
            else:
                results.append(result(values((i + 1) * (j + 2) * 10.0 * MIB * factor, rounds), **sizes))
    return results


def ids(runs: Sequence[Run]) -> str:
    """The query string that chooses these runs."""
    return "&".join(f"run={run.id}" for run in runs)


def unknown_id() -> str:
    """An id that no run has."""
    return str(uuid7())
