from __future__ import annotations

from django.apps import AppConfig


class CatalogConfig(AppConfig):
    """Registers the app `catalog`."""

    name = "benchdb.catalog"
    label = "catalog"
