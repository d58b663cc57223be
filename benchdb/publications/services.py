"""Load data files: store runs through `ingest`, withdraw changed runs, freeze tables."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from benchdb.compare.content import Content
from benchdb.compare.models import KeptAnswer, Permalink
from benchdb.compare.permalinks.services import ADDRESS_BYTES, canonical, evaluated, freeze, frozen_of
from benchdb.compare.query.selection import encode
from benchdb.ingest.services import RunDeleted, store_for
from benchdb.quotas.services import add_uncharged
from benchdb.runs.models import Run, RunState, State, Visibility
from benchdb.runs.services import reinstate, withdraw
from benchdb.runs.store.summaries import compute_summaries

from .data_files import Article, generated
from .documents import documents
from .models import BY_HAND, Publication, PublishedRun, PublishedTable
from .page_files import TableFile, page_file
from .places import Facts

OWNER = "publications"
CORRECTED = "A corrected data file of the publication replaced this run."


@dataclass(frozen=True)
class Loaded:
    """The result of loading an article: numbers of runs that are new, kept, withdrawn, or stay deleted."""

    publication: Publication
    new: int
    kept: int
    withdrawn: int
    deleted: int


def load(article: Article) -> Loaded:
    """Store an article and its runs. Idempotent; a corrected file withdraws the runs that it changed.

    Raises FaultyArticle, and FaultyDocument for facts that no document may hold; then nothing is withdrawn.
    """
    owner = system_user()
    runs: dict[str, UUID] = {}
    new = deleted = 0
    for key, document in documents(article).items():
        run_id = UUID(document["run_id"])
        try:
            new += store(owner, run_id, document)
        except RunDeleted:
            deleted += 1
        else:
            runs[key] = run_id
    with transaction.atomic():
        publication = _publication(article)
        withdrawn = _link(publication, runs)
        if not deleted:  # otherwise the frozen tables stay, without the figures of the deleted run
            freeze_tables(publication, owner)
    return Loaded(publication, new, len(runs) - new, withdrawn, deleted)


def store(owner: User, run_id: UUID, document: Mapping[str, object]) -> bool:
    """Store a run with its statistics and return whether it is new. Raises RunDeleted.

    A stored run has the same content, because its id depends on the content.
    """
    state = RunState.objects.filter(pk=run_id, owner=owner).values_list("state", flat=True).first()
    if state is None:
        store_for(owner, Visibility.PUBLIC, run_id, json.dumps(document).encode(), charge=add_uncharged)
    if state != State.READY:
        compute_summaries(run_id)
    return state is None


def system_user() -> User:
    """The owner of all published runs, an account without a password."""
    user, created = User.objects.get_or_create(username=OWNER, defaults={"first_name": "Published figures"})
    if created:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return user


def _publication(article: Article) -> Publication:
    facts, findings = article.facts, generated(article.slug)["findings"]
    fields = {
        "ordinal": facts["ordinal"],
        "title": facts["title"],
        "authors": facts["authors"],
        "year": facts["year"],
        "citation": facts["citation"],
        "plan": facts["plan"],
        "about": facts.get("about", []),
        "left_out": facts.get("left_out", []),
        "operations": facts.get("operations", []),
        "sourced": article.sourced,
        "statements": facts.get("text", {}).get("statements", []),
        "notes": [_note(note, findings) for note in facts.get("notes", [])],
        "findings": [{name: each[name] for name in each if name != "relation"} for each in findings],
        "url": facts.get("url"),
    }
    return Publication.objects.update_or_create(slug=article.slug, defaults=fields)[0]


def is_about(finding: Facts, pattern: str) -> bool:
    """Whether the finding has this subject, or `CHECK: SUBJECT`; `*` matches anything."""
    return any(fnmatchcase(name, pattern) for name in (finding["subject"], f"{finding['check']}: {finding['subject']}"))


def _note(note: Facts, findings: Sequence[Facts]) -> dict[str, object]:
    """A note of the data file with the findings about its subjects that contradict the article, and their checks."""
    about = [each for pattern in note.get("about", []) for each in findings if is_about(each, pattern)]
    against = [each for each in about if not each["agrees"]]
    return {
        **{name: note[name] for name in ("key", "where", "printed", "says")},
        "remark": note.get("remark", False),
        "found_by": sorted({each["check"] for each in against}) or [BY_HAND],
        "findings": [{"text": each["text"], "statements": each["statements"]} for each in against],
    }


def _link(publication: Publication, runs: dict[str, UUID]) -> int:
    """Make these the publication's runs and return how many others were withdrawn."""
    before = Run.objects.filter(runstate__owner__username=OWNER, runstate__labels__publication=publication.slug)
    replaced = list(before.exclude(pk__in=runs.values()).filter(runstate__withdrawn_at=None))
    for run in replaced:
        withdraw(run, CORRECTED)
    for run in before.filter(pk__in=runs.values(), runstate__withdrawn_reason=CORRECTED):
        reinstate(run)
    publication.published_runs.all().delete()
    PublishedRun.objects.bulk_create(
        PublishedRun(publication=publication, run_id=run, key=key, ordinal=ordinal)
        for ordinal, (key, run) in enumerate(runs.items())
    )
    return len(replaced)


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
