"""After an upgrade every run is computed again, by any number of workers: which ones are left, and how far that is.

What is left stands in the database alone (`RunState.statistics_version`). Messages only say where to look: they may get
lost, come twice or come late, and a worker may die on any of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from benchdb.runs.models import RunState
from benchdb.stats import STATISTICS_VERSION

CHUNK = 200  # runs a message; some seconds of work, so that new uploads do not wait long behind one
MOST_CHUNKS = 50  # messages a sweep


@dataclass(frozen=True)
class Recomputation:
    """How many runs there are, and how many of them have older statistics."""

    total: int
    outdated: int

    @property
    def done(self) -> int:
        return self.total - self.outdated

    @property
    def text(self) -> str:
        """For everybody: how many runs there are is not."""
        share = 100 * self.done // max(self.total, 1)
        return (
            f"Statistics version {STATISTICS_VERSION} is being computed for all runs; {share} % have it."
            " The others show their figures of the version before."
        )


def progress() -> Recomputation | None:
    """How far recomputation is, None where nothing is left to do: one query then, a cheap one, else two."""
    outdated = RunState.objects.outdated().count()
    return Recomputation(RunState.objects.count(), outdated) if outdated else None


def chunks() -> list[list[str]]:
    """Ids of runs to compute again, the newest runs first, as many as are enqueued at a time; one query."""
    ids = [str(pk) for pk in RunState.objects.outdated().values_list("pk", flat=True)[: CHUNK * MOST_CHUNKS]]
    return [ids[start : start + CHUNK] for start in range(0, len(ids), CHUNK)]
