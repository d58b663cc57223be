"""Celery tasks that read the sources."""

from __future__ import annotations

from django.conf import settings

from benchdb.celery import app

from . import reading
from .models import Source


@app.task
def read_sources() -> int:
    """Enqueue the reading of each source; a message expires when the next sweep sends it again."""
    sources = list(Source.objects.filter(owner__is_active=True).values_list("pk", flat=True))
    for source_id in sources:
        read_source.apply_async([source_id], expires=settings.SWEEP_SECONDS)
    return len(sources)


@app.task
def read_source(source_id: int) -> int:
    """Follow the changes of a source. Idempotent; does nothing while another process reads it."""
    source = Source.objects.select_related("owner").filter(pk=source_id).first()
    return 0 if source is None else reading.read_source(source)
