from __future__ import annotations

from django.apps import AppConfig


class SignaturesConfig(AppConfig):
    """Registers the app `signatures`."""

    name = "benchdb.signatures"
    label = "signatures"
