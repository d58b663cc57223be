"""The runs of a permalink that a reader may still see."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from benchdb.http.requests import Reader
from benchdb.runs.models import Run

from .errors import NothingThere

NONE_LEFT = "There is none of its runs that you may see: each is private or was deleted."


def visible_runs(runs: Sequence[UUID], reader: Reader) -> tuple[UUID, ...]:
    """The runs that `reader` may see, in their order; one query. Raises NothingThere if there are none."""
    visible = set(Run.objects.visible_to(reader).filter(pk__in=runs).values_list("pk", flat=True))
    if not visible:
        raise NothingThere([NONE_LEFT])
    return tuple(run for run in runs if run in visible)
