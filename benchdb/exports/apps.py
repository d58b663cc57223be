from __future__ import annotations

from django.apps import AppConfig


class ExportsConfig(AppConfig):
    """Registers the app `exports` and its formats."""

    name = "benchdb.exports"
    label = "exports"

    def ready(self) -> None:
        """Register the formats, so that the pages of `compare`, which cannot import this app, link to them."""
        from . import formats  # noqa: F401
