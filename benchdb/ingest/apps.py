from __future__ import annotations

from django.apps import AppConfig


class IngestConfig(AppConfig):
    """Registers the app `ingest`."""

    name = "benchdb.ingest"
    label = "ingest"
