"""The tables of an article, frozen as permalinks whose addresses are the same on every server."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import replace
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from benchdb.compare.content import Content
from benchdb.compare.models import KeptAnswer, Permalink
from benchdb.compare.permalinks.services import ADDRESS_BYTES, canonical, evaluated, freeze, frozen_of
from benchdb.compare.query.selection import encode

from .models import Publication, PublishedTable
from .page_files import TableFile, page_file


@transaction.atomic
def freeze_tables(publication: Publication, owner: User) -> None:
    """Freeze every table of the article's page file that is not frozen yet. Idempotent.

    Raises ImpossibleSelection for a selection that the publication's runs cannot answer.
    """
    runs = dict(publication.published_runs.values_list("key", "run_id"))
    kept = [_freeze(publication, table, runs, owner).pk for table in page_file(publication.slug).tables]
    KeptAnswer.objects.filter(permalink__published__publication=publication).delete()  # their pages name the article
    publication.tables.exclude(pk__in=kept).delete()


def _freeze(publication: Publication, table: TableFile, runs: Mapping[str, UUID], owner: User) -> PublishedTable:
    run_ids = [runs[key] for key in table.runs or runs]
    query = f"{encode([('run', str(run)) for run in run_ids])}&{table.select}"
    address = address_of(publication.slug, table, run_ids)
    permalink = Permalink.objects.filter(pk=address, revoked_at=None).first()
    if permalink is None:
        content = titled(publication, table, evaluated("table", query, owner))
        permalink, _ = freeze(owner, "table", frozen_of(content), under=address, site=settings.PUBLIC_ADDRESS)
    published, _ = publication.tables.update_or_create(key=table.key, defaults={"permalink": permalink})
    return published


def address_of(slug: str, table: TableFile, runs: list[UUID]) -> str:
    """The permalink's address, from the entry in the page file and the ids of the runs."""
    source = [slug, table.key, table.title, table.note, table.select, [str(run) for run in runs]]
    digest = hashlib.sha256(canonical(source).encode()).digest()
    return base64.b32encode(digest[:ADDRESS_BYTES]).decode().lower()


def titled(publication: Publication, table: TableFile, content: Content) -> Content:
    """The content with the title of the table in the article."""
    notes = [*([table.note] if table.note else []), *content.notes]
    subtitle = f"{publication.authors}, {publication.year} · {content.subtitle}"
    return replace(content, title=table.title, subtitle=subtitle, notes=notes)
