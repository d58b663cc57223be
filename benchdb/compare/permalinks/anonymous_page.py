"""The page of a permalink for readers who are not signed in: equal for all of them, and kept for the next one."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse

from benchdb import __version__
from benchdb.compare.models import Permalink
from benchdb.http.rendering import render_page
from benchdb.http.requests import server_of

from . import kept_answers
from . import page as pages
from . import services as permalinks

NAME = "page"
LARGE_BYTES = 2_000_000  # of the document; its page takes 0.1 s
HEADERS = {"Content-Type": "text/html; charset=utf-8"}


def sent(request: HttpRequest, permalink_id: str) -> HttpResponse | None:
    """The kept page, or 304; None if it must be rendered. One query at most."""
    return kept_answers.sent(request, permalink_id, NAME, _of_page(server_of(request)), HEADERS)


def rendered(permalink: Permalink, site: str) -> bytes:
    """The page for readers of `site`, which is kept if the permalink was shared there. Needs `with_runs_now`."""
    nobodys = HttpRequest()  # nothing of a reader can get into a page that others read
    nobodys.user, nobodys.path = AnonymousUser(), permalink.get_absolute_url()
    parts = pages.permalink(permalink, f"{site}{permalink.get_absolute_url()}")
    page = render_page(nobodys, "compare/permalink.html", *parts).content
    kept_answers.keep(permalink, site, NAME, _of_page(site), page)
    return page


def is_large(permalink: Permalink) -> bool:
    """Whether the page of a permalink that was shared a moment ago takes so long that a worker renders it."""
    return permalink.document_bytes > LARGE_BYTES


def prepare(shared: Permalink) -> None:
    """Render the page of a permalink that was shared a moment ago, so that its first reader does not wait for that."""
    permalink = None if is_large(shared) else permalinks.find(shared.pk)
    if permalink is not None and not permalink.gone:
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
