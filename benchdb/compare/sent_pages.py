"""Pages of permalinks as they were sent before, so that a frozen table is not drawn again for each of its readers.

Only for readers who are not signed in, whose pages are all the same. Each process of the web server keeps some in its
memory. The database is asked first, once a second: what was revoked, withdrawn or deleted shows within that second.
"""

from __future__ import annotations

import gzip

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers

from . import permalinks
from .caching import is_own

CACHE = "pages"
MOST_BYTES = 256 * 1024  # of one page, compressed; settings say how many there are


def sent(request: HttpRequest, permalink_id: str, *of_page: str) -> HttpResponse | None:
    """The answer for a reader who is not signed in, where it is known without the figures. One query at most.

    `of_page` is what the tag of the page depends on besides the permalink.
    """
    has_it = "If-None-Match" in request.headers
    page = caches[CACHE].get(_key(request)) if not has_it and _takes_gzip(request) else None
    if page is None and not has_it:
        return None
    found = permalinks.glance(permalink_id)
    if found is None:
        return None
    tag = permalinks.etag(found, *of_page)
    if (not_changed := get_conditional_response(request, etag=tag)) is not None:
        not_changed["ETag"] = tag
        return not_changed
    if page is None or page[0] != tag:
        return None
    response = HttpResponse(page[1], headers={"Content-Encoding": "gzip", "ETag": f"W/{tag}"})
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


def keep(request: HttpRequest, tag: str, response: HttpResponse) -> None:
    """Keep a page that was made for `sent`, unless something in it is this reader's own."""
    if is_own(request) or request.GET or response.status_code != 200:
        return
    packed = gzip.compress(response.content, 6, mtime=0)
    if len(packed) <= MOST_BYTES:
        caches[CACHE].set(_key(request), (tag, packed), timeout=None)


def _key(request: HttpRequest) -> str:
    """The page has its own whole address in it."""
    return request.build_absolute_uri()


def _takes_gzip(request: HttpRequest) -> bool:
    return "gzip" in request.headers.get("Accept-Encoding", "")
