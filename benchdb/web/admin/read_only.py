"""Base classes of the admin for models that are not edited by hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import BadRequest
from django.db.models import Field, Model
from django.http import HttpRequest, HttpResponse

from benchdb.ingest.contract.storable_text import storable
from benchdb.web.admin_site import NAMES

from .audited import AuditedAdmin


class Ended(admin.EmptyFieldListFilter):
    """A filter for whether a time is set, with words for its title and for the two answers."""

    ANSWERS = {
        "withdrawn_at": ("withdrawal", "Counts", "Withdrawn"),
        "revoked_at": ("revocation", "Not revoked", "Revoked"),
    }

    def __init__(self, field: Field[Any, Any], *others: Any, **more: Any) -> None:
        super().__init__(field, *others, **more)
        self.title, self.unset, self.set = self.ANSWERS[field.name]

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        """Django's choices, with our words for "Empty" and "Not empty"; counts stay."""
        for choice in super().choices(changelist):
            text = str(choice["display"]).replace("Not empty", self.set).replace("Empty", self.unset)
            yield {**choice, "display": text}


class NamedAdmin(AuditedAdmin):
    """A list with the title from the admin's index, which only accepts the filters that it offers."""

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Only offered filters: by others, such as the digest of a token, a reader could guess values bit by bit."""
        filters: Any = self.get_list_filter(request)  # names, or pairs that begin with one
        names = [entry if isinstance(entry, str) else entry[0] for entry in filters]
        return any(lookup == name or lookup.startswith(f"{name}__") for name in names)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, object] | None = None) -> HttpResponse:
        """The list, with its name as the title. Raises BadRequest for text that the database cannot compare."""
        if not all(storable(text) for name, texts in request.GET.lists() for text in (name, *texts)):
            raise BadRequest
        return super().changelist_view(request, {"title": NAMES[self.model.__name__], **(extra_context or {})})


class ReadingAdmin(NamedAdmin):
    """Read-only lists and pages; all changes are actions. Deletion has its own services and is not offered."""

    list_per_page = 50
    show_full_result_count = False  # avoids counting all rows

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Model | None:
        """The object, or None (not found) for an id that the database cannot store as text."""
        return super().get_object(request, object_id, from_field) if storable(object_id) else None

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Never."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Never."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Never, because saving a form without fields would still write the row."""
        return False

    def has_keep_permission(self, request: HttpRequest) -> bool:
        """The permission for actions: the model's change permission."""
        return super().has_change_permission(request)
