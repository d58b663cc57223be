"""Articles as they were loaded; `manage.py load_publications` writes them from their data files."""

from __future__ import annotations

from django.contrib import admin
from django.urls import reverse

from benchdb.publications.models import Publication

from .reading import ReadingAdmin


@admin.register(Publication)
class Publications(ReadingAdmin):
    """Which articles there are."""

    fields = ("slug", "title", "authors", "year", "citation", "url", "plan")
    list_display = ("title", "authors", "year", "slug")
    search_fields = ("title", "authors", "slug")

    def view_on_site(self, publication: Publication) -> str:
        """Its page."""
        return reverse("article", args=[publication.slug])
