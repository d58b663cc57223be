from __future__ import annotations

from django.apps import AppConfig


class ComponentsConfig(AppConfig):
    """Registers the app `components`, which has templates and no tables."""

    name = "benchdb.components"
    label = "components"
