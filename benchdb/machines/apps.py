from __future__ import annotations

from django.apps import AppConfig


class MachinesConfig(AppConfig):
    """Registers the app `machines`, which has no models of its own: it shows what others keep."""

    name = "benchdb.machines"
    label = "machines"
