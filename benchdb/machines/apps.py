from __future__ import annotations

from django.apps import AppConfig


class MachinesConfig(AppConfig):
    """Registers the app `machines`, which has no models."""

    name = "benchdb.machines"
    label = "machines"
