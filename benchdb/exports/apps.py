from __future__ import annotations

from django.apps import AppConfig


class ExportsConfig(AppConfig):
    """Registers the app `exports`."""

    name = "benchdb.exports"
    label = "exports"
