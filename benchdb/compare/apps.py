from __future__ import annotations

from django.apps import AppConfig

from benchdb.replica.positions import TAKEN_BACK


class CompareConfig(AppConfig):
    """Registers the app `compare`."""

    name = "benchdb.compare"
    label = "compare"

    def ready(self) -> None:
        """Listen to what is taken back."""
        from benchdb.compare.permalinks.standing import forget  # its models are there now

        TAKEN_BACK.connect(forget)
