from __future__ import annotations

from django.apps import AppConfig

from benchdb.replica.positions import TAKEN_BACK


class CompareConfig(AppConfig):
    """Registers the app `compare`."""

    name = "benchdb.compare"
    label = "compare"

    def ready(self) -> None:
        """Forget cached states of permalinks when something is taken back."""
        from benchdb.compare.permalinks.glance import forget  # needs the models, which are loaded now

        TAKEN_BACK.connect(forget)
