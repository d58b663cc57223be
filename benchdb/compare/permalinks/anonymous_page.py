"""The page of a permalink for readers who are not signed in: equal for all of them, and kept for the next one."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from django.contrib.auth.models import AnonymousUser
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse

from benchdb import __version__
from benchdb.compare.kinds import KINDS
from benchdb.compare.models import Permalink
from benchdb.compare.page_parts.kept import LeftToWorker
from benchdb.http.rendering import render_page
from benchdb.http.requests import server_of

from . import kept_answers
from . import services as permalinks
from .pieces import frozen_pieces

NAME = "page"
HEADERS = {"Content-Type": "text/html; charset=utf-8"}


def sent(request: HttpRequest, permalink_id: str) -> HttpResponse | None:
    """The kept page, or 304; None if it must be rendered. One query at most."""
    return kept_answers.sent(request, permalink_id, NAME, _of_page(server_of(request)), HEADERS)


def rendered(permalink: Permalink, site: str) -> bytes:
    """The page for readers of `site`, which is kept if the permalink was shared there. Needs `with_runs_now`.

    Raises LeftToWorker.
    """
    nobodys = HttpRequest()  # nothing of a reader can get into a page that others read
    nobodys.user, nobodys.path = AnonymousUser(), permalink.get_absolute_url()
    page = render_page(nobodys, "compare/framed.html", framed(permalink, site, frozen_pieces(permalink, site))).content
    kept_answers.keep(permalink, site, NAME, _of_page(site), page)
    return page


def framed(permalink: Permalink, site: str, pieces: Mapping[str, str]) -> dict[str, object]:
    """The context of compare/framed.html."""
    head = KINDS[permalink.kind].head
    return {
        "pieces": pieces,
        "head": head,
        "canonical": f"{site}{permalink.get_absolute_url()}",
        "section": "compare",
    }


def prepare(permalink_id: str) -> None:
    """Render the page of a permalink that was shared a moment ago, so that its first reader does not wait for that."""
    permalink = permalinks.find(permalink_id)
    if permalink is not None and not permalink.gone:
        with suppress(LeftToWorker):
            rendered(permalink, permalink.site)


def etag(permalink: Permalink, site: str) -> str:
    """The entity tag of the page for readers of `site`."""
    return permalinks.etag(permalink, *_of_page(site))


def assets() -> str:
    """Changes when a style sheet or script changes, whose new name a page must then have."""
    return str(getattr(staticfiles_storage, "manifest_hash", ""))


def _of_page(site: str) -> tuple[str, ...]:
    """The tag of the page depends on these besides the permalink."""
    return site, __version__, assets()
