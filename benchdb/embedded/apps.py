"""Makes the commands `up`, `services` and `migrate` known to Django."""

from __future__ import annotations

from django.apps import AppConfig


class EmbeddedConfig(AppConfig):
    """No models: the services under this app are what models need."""

    name = "benchdb.embedded"
