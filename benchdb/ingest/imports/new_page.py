"""The page on which people paste text and choose files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import User

from benchdb.http.shown_once import NewToken
from benchdb.identity import guests
from benchdb.runs.listing.filter_panel import SelectOption
from benchdb.wording.sizes import say_size

from .chosen import TOOLS, ReadingForm
from .contexts import OwnImport
from .page import own_imports
from .services import KEPT_FOR
from .unpack import MOST_BYTES, MOST_FILES

MOST_SHOWN = 40


@dataclass(frozen=True, slots=True)
class AnonymousWay:
    """Uploads without an account: the readers of their runs in words, and the days for which they wait for a claim."""

    readers: str
    days: int


@dataclass(frozen=True, slots=True)
class NewImport:
    """The context of ingest/new.html; an import is kept for `days`, and `most_size` tells `most_bytes` in words.

    `anonymous` is None on sites that take no anonymous uploads; `made` has the secret of one that was just begun.
    """

    signed_in: bool
    anonymous: AnonymousWay | None
    made: NewToken | None
    faults: Sequence[str]
    text: str
    most_files: int
    most_bytes: int
    most_size: str
    days: int
    tools: Sequence[str]
    drafts: Sequence[OwnImport]
    tool_options: Sequence[SelectOption]
    unit_options: Sequence[SelectOption]
    section: str = "import"


def new_import(
    owner: User | None,
    text: str = "",
    faults: Sequence[str] = (),
    form: ReadingForm | None = None,
    made: NewToken | None = None,
) -> NewImport:
    """The page; `owner` is None for an anonymous visitor, and `form` has the choices that were sent."""
    form = form or ReadingForm({})
    return NewImport(
        signed_in=owner is not None,
        anonymous=_anonymous(),
        made=made,
        faults=faults,
        text=text,
        most_files=MOST_FILES,
        most_bytes=MOST_BYTES,
        most_size=say_size(MOST_BYTES),
        days=KEPT_FOR.days,
        tools=TOOLS,
        drafts=own_imports(owner, MOST_SHOWN) if owner else [],
        tool_options=form.options("tool"),
        unit_options=form.options("unit"),
    )


def _anonymous() -> AnonymousWay | None:
    if not guests.is_on():
        return None
    readers = "everybody" if settings.ANONYMOUS == "public" else "everybody with their address"
    return AnonymousWay(readers, settings.ANONYMOUS_DAYS)
