"""What is shown and never written by hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse

from benchdb.ingest.contract.text import storable

from .site import NAMES

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin  # is no generic class while it runs


class Ended(admin.EmptyFieldListFilter):
    """Whether a time is set, in words: what the question is called, where it is not, where it is."""

    ANSWERS = {
        "withdrawn_at": ("withdrawal", "Counts", "Withdrawn"),
        "revoked_at": ("revocation", "Not revoked", "Revoked"),
    }

    def __init__(self, field: Any, *others: Any, **more: Any) -> None:
        super().__init__(field, *others, **more)
        self.title, self.unset, self.set = self.ANSWERS[field.name]

    def choices(self, changelist: Any) -> Iterator[Any]:
        """Django's own, which say "Empty" and "Not empty", with the number beside it where that was asked for."""
        for choice in super().choices(changelist):
            said = str(choice["display"]).replace("Not empty", self.set).replace("Empty", self.unset)
            yield {**choice, "display": said}


class NamedAdmin(ModelAdmin):
    """Its list is called what the admin's first page calls it, and is filtered by what it offers alone."""

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Not by every column of the model, such as digests of tokens: an address could ask for them bit by bit."""
        offered: Any = self.get_list_filter(request)  # names, or pairs that begin with one
        names = [each if isinstance(each, str) else each[0] for each in offered]
        return any(lookup == name or lookup.startswith(f"{name}__") for name in names)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The list, with its name for a title."""
        return super().changelist_view(request, {"title": NAMES[self.model.__name__], **(extra_context or {})})


class ReadingAdmin(NamedAdmin):
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
