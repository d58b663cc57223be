"""The runs that can be added to a surface: the newest on the same machine with the same tool, test and metric."""

from __future__ import annotations

from django.db.models import Count, Exists, OuterRef, Q

from benchdb.compare.query.visible import newest_beside
from benchdb.http.requests import Reader
from benchdb.runs.models import Result, Run
from benchdb.wording.times import known_start, say_start

from .content import SurfaceContent

MOST_RUNS = 20
Pairs = list[tuple[str, str]]


def runs_beside(content: SurfaceContent, reader: Reader) -> Pairs:
    """The ids and labels of the second run and at most 20 others, the newest first; one query.

    The second run has its place and label also if it is not listed: a kept page serves both.
    """
    same_surface = (
        Result.objects.filter(run=OuterRef("pk"), test=content.test, metric=content.metric)
        .values("run")
        .annotate(files=Count("file_size", distinct=True), records=Count("record_size", distinct=True))
        .filter(files__gt=1, records__gt=1)
    )
    listed = (
        Run.objects.filter(pk__in=newest_beside(content.runs[0], reader))
        .filter(Exists(same_surface))
        .exclude(pk__in=content.runs)
        .order_by("-id")
    )
    chosen = Q(pk__in=content.runs[1:]) | Q(pk__in=listed.values("pk")[:MOST_RUNS])
    runs = Run.objects.filter(chosen).select_related("target").order_by("-id")
    return [(str(run.id), _label(run)) for run in runs]


def _label(run: Run) -> str:
    started = say_start(known_start(run.started_at, run.finished_at))
    return f"{run.target.file_system or 'unknown file system'} · {started}"
