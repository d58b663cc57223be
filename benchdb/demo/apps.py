from __future__ import annotations

from django.apps import AppConfig


class DemoConfig(AppConfig):
    """Registers the app `demo`, for its command."""

    name = "benchdb.demo"
    label = "demo"
