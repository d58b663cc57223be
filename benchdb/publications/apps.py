from __future__ import annotations

from django.apps import AppConfig


class PublicationsConfig(AppConfig):
    """Registers the app `publications`."""

    name = "benchdb.publications"
    label = "publications"
