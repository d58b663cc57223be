from __future__ import annotations

from django.apps import AppConfig


class RunsConfig(AppConfig):
    """Registers the app `runs`."""

    name = "benchdb.runs"
    label = "runs"
