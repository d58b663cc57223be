from __future__ import annotations

from django.apps import AppConfig


class AlertsConfig(AppConfig):
    """Registers the app `alerts`."""

    name = "benchdb.alerts"
    label = "alerts"
