"""The Django app of the audit trail."""

from __future__ import annotations

from django.apps import AppConfig


class AuditConfig(AppConfig):
    """Registers the app `audit`."""

    name = "benchdb.audit"
    label = "audit"
