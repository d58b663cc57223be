"""Registers the commands `up`, `services` and `migrate` with Django."""

from __future__ import annotations

from django.apps import AppConfig


class EmbeddedConfig(AppConfig):
    """The app has no models; it runs the services that models need."""

    name = "benchdb.embedded"
