"""The admin's list of machines, with owners and times of their first upload."""

from __future__ import annotations

from django.contrib import admin

from benchdb.catalog.models import Machine

from .read_only import ReadingAdmin


@admin.register(Machine)
class Machines(ReadingAdmin):
    """The list of machines, read-only."""

    fields = ("name", "owner", "machine_id", "created_at")
    list_display = ("name", "owner", "created_at")
    list_select_related = ("owner",)
    search_fields = ("name", "owner__username")
    ordering = ("name", "pk")
