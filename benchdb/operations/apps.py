from __future__ import annotations

from django.apps import AppConfig


class OperationsConfig(AppConfig):
    """No models of its own."""

    name = "benchdb.operations"
