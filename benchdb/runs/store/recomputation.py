"""The recomputation of every run after an upgrade: the runs that are left, and the progress.

Only the database has the remaining runs (`RunState.statistics_version`). Messages are hints for the workers: they may
get lost, come twice or come late, and a worker may die on any of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from benchdb.runs.models import RunState
from benchdb.stats import STATISTICS_VERSION

CHUNK = 200  # runs in a message; some seconds of work, so that new uploads do not wait long
MOST_CHUNKS = 50  # messages a sweep


@dataclass(frozen=True)
class Recomputation:
    """The number of runs, and of those with older statistics."""

    total: int
    outdated: int

    @property
    def done(self) -> int:
        return self.total - self.outdated

    @property
    def text(self) -> str:
        """The progress in per cent, because the number of runs is not public."""
        share = 100 * self.done // max(self.total, 1)
        return (
            f"Statistics version {STATISTICS_VERSION} is being computed for all runs; {share} % have it."
            " The others show their figures of the version before."
        )


def progress() -> Recomputation | None:
    """The progress of the recomputation, None if it is finished: one cheap query then, otherwise two."""
    outdated = RunState.objects.outdated().count()
    return Recomputation(RunState.objects.count(), outdated) if outdated else None


def chunks() -> list[list[str]]:
    """The ids of runs to compute again, newest first, at most `MOST_CHUNKS` chunks; one query."""
    ids = [str(pk) for pk in RunState.objects.outdated().values_list("pk", flat=True)[: CHUNK * MOST_CHUNKS]]
    return [ids[start : start + CHUNK] for start in range(0, len(ids), CHUNK)]
