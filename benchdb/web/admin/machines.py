"""Machines, their owners and when they were first heard of."""

from __future__ import annotations

from django.contrib import admin

from benchdb.catalog.models import Machine

from .reading import ReadingAdmin


@admin.register(Machine)
class Machines(ReadingAdmin):
    """Which machines there are."""

    fields = ("name", "owner", "machine_id", "created_at")
    list_display = ("name", "owner", "created_at")
    list_select_related = ("owner",)
    search_fields = ("name", "owner__username")
    ordering = ("name", "pk")
