"""The admin's list of articles, which `manage.py load_publications` loads from data files."""

from __future__ import annotations

from django.contrib import admin
from django.urls import reverse

from benchdb.publications.models import Publication

from .read_only import ReadingAdmin


@admin.register(Publication)
class Publications(ReadingAdmin):
    """The list of articles, read-only."""

    fields = ("slug", "title", "authors", "year", "citation", "url", "plan")
    list_display = ("title", "authors", "year", "slug")
    search_fields = ("title", "authors", "slug")

    def view_on_site(self, publication: Publication) -> str:
        """The address of the article's page."""
        return reverse("article", args=[publication.slug])
