"""The Django app of the quotas."""

from __future__ import annotations

from django.apps import AppConfig


class QuotasConfig(AppConfig):
    """Registers the app `quotas`."""

    name = "benchdb.quotas"
    label = "quotas"
