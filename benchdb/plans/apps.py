from __future__ import annotations

from django.apps import AppConfig


class PlansConfig(AppConfig):
    """Registers the app `plans`."""

    name = "benchdb.plans"
    label = "plans"
