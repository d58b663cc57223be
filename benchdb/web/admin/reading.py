"""What is shown and never written by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest

from benchdb.ingest.contract.text import storable

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin  # is no generic class while it runs


class ReadingAdmin(ModelAdmin):
    """Lists and shows; what may be done is an action. Deleting has services of its own, and is not done by the way."""

    list_per_page = 50
    show_full_result_count = False  # it would count all rows beside those that are found

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """None, which is not found, for an id that the database does not take as a text."""
        return super().get_object(request, object_id, from_field) if storable(object_id) else None

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Never."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: saving a form without fields would still write the row."""
        return False

    def has_keep_permission(self, request: HttpRequest) -> bool:
        """For actions: who may change it, were that allowed by hand."""
        return super().has_change_permission(request)
