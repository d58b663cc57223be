"""A cache of the answers of permalinks, so that a frozen table is not rendered again for each reader.

It keeps pages for readers who are not signed in, and files for all readers, because these are equal for each of them.
Each process of the web server keeps some answers in memory. Each request queries the database first, so that anything
revoked, withdrawn or deleted shows as soon as it is committed.
"""

from __future__ import annotations

import gzip

from django.conf import settings
from django.contrib.messages import get_messages
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers

from . import services as permalinks


def is_own(request: HttpRequest) -> bool:
    """Whether a page for a reader who is not signed in contains something for this reader only."""
    return bool(request.META.get("CSRF_COOKIE_NEEDS_UPDATE") or getattr(get_messages(request), "used", False))


def asked_each_time(
    request: HttpRequest, response: HttpResponse, tag: str | None, *, same_for_all: bool = True
) -> HttpResponse:
    """The response with the tag and headers that require revalidation, because a permalink can be revoked.

    If the settings allow it, a cache that readers share may answer for some seconds if the response is `same_for_all`.
    """
    if tag is not None:
        response["ETag"] = tag
    response["Cache-Control"] = "no-cache"
    shared = settings.CDN_SECONDS and settings.READERS == "everybody" and same_for_all
    if shared and not is_own(request) and response.status_code in (200, 304):
        response["Cache-Control"] = f"public, max-age=0, s-maxage={settings.CDN_SECONDS}"
    return response


CACHE = "pages"
MOST_BYTES = 256 * 1024  # of one answer, compressed; settings say how many there are
MOST_CONTENT = 8 * MOST_BYTES  # a larger answer would be compressed in vain for each reader
FIELDS = ("Content-Type", "Content-Disposition")


def sent(request: HttpRequest, permalink_id: str, *of_page: str) -> HttpResponse | None:
    """The cached answer, or 304; None if the figures must be read. One query at most.

    The tag of the answer depends on `of_page` and the permalink.
    """
    if not permalinks.ADDRESS.fullmatch(permalink_id):
        return None
    has_it = "If-None-Match" in request.headers
    page = None if has_it else caches[CACHE].get(_key(request))
    if page is None and not has_it:
        return None
    glance = permalinks.glance(permalink_id)
    if glance is None:
        return None
    tag = permalinks.etag(glance, *of_page)
    if (not_changed := get_conditional_response(request, etag=tag)) is not None:
        not_changed["ETag"] = tag
        return not_changed
    if page is None or page[0] != tag:
        return None
    _, packed, fields = page
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        response = HttpResponse(packed, headers={**fields, "Content-Encoding": "gzip", "ETag": f"W/{tag}"})
    else:
        response = HttpResponse(gzip.decompress(packed), headers={**fields, "ETag": tag})
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


def keep(request: HttpRequest, tag: str, response: HttpResponse) -> None:
    """Keep an answer for `sent`, unless it contains something for this reader only.

    Not even `?&` may follow the address, because longer and longer addresses would displace other answers.
    """
    plain = not (is_own(request) or request.META.get("QUERY_STRING"))
    if not plain or response.status_code != 200 or len(response.content) > MOST_CONTENT:
        return
    packed = gzip.compress(response.content, 6, mtime=0)
    if len(packed) <= MOST_BYTES:
        fields = {name: response[name] for name in FIELDS if response.has_header(name)}
        caches[CACHE].set(_key(request), (tag, packed, fields), timeout=None)


def _key(request: HttpRequest) -> str:
    """The whole address, which the answer contains."""
    return request.build_absolute_uri()
