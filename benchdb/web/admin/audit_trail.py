"""The audit trail in the admin, for maintainers and admins; `manage.py audit` prints it for programs."""

from __future__ import annotations

from django.contrib import admin

from benchdb.audit.models import AuditEntry

from .read_only import ReadingAdmin


@admin.register(AuditEntry)
class AuditTrail(ReadingAdmin):
    """The list of all acts of maintainers and admins, newest first, read-only."""

    fields = ("at", "who", "who_id", "via", "address", "action", "kind", "object_name", "object_id", "reason", "detail")
    list_display = ("at", "who", "action", "object_name", "detail", "reason", "address", "via")
    list_filter = ("action", "kind", "via", "at")
    search_fields = ("who", "object_name", "object_id__iexact", "reason", "detail")
    ordering = ("-pk",)
    actions = None
