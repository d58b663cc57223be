from __future__ import annotations

from django.apps import AppConfig


class ReproductionsConfig(AppConfig):
    """Registers the app `reproductions`."""

    name = "benchdb.reproductions"
    label = "reproductions"
