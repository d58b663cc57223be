"""The Django app of identities."""

from __future__ import annotations

from django.apps import AppConfig


class IdentityConfig(AppConfig):
    """Registers the app `identity`."""

    name = "benchdb.identity"
    label = "identity"
