from __future__ import annotations

from django.apps import AppConfig


class FederationConfig(AppConfig):
    """Registers the app `federation`."""

    name = "benchdb.federation"
    label = "federation"
