from __future__ import annotations

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """Registers the app `api`."""

    name = "benchdb.api"
    label = "api"
