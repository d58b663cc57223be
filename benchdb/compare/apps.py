from __future__ import annotations

from django.apps import AppConfig


class CompareConfig(AppConfig):
    """Registers the app `compare`."""

    name = "benchdb.compare"
    label = "compare"
