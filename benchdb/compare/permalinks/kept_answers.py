"""Answers of permalinks, kept in the database so that a frozen table is not rendered again for each reader.

These are the page for readers who are not signed in, rendered when the permalink is shared, and the files for all
readers, because they are equal for each of them. The query that reads an answer also reads the state of the permalink
and of its runs, so that anything revoked, withdrawn or deleted shows as soon as it is committed.
"""

from __future__ import annotations

import gzip
import logging
from collections.abc import Mapping
from typing import TypeVar

from django.conf import settings
from django.contrib.messages import get_messages
from django.db import Error, transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers

from benchdb.compare.models import KeptAnswer, Permalink

from . import services as permalinks

log = logging.getLogger(__name__)
T = TypeVar("T", bound=HttpResponseBase)

MOST_BYTES = 1024 * 1024  # of one answer, compressed
MOST_CONTENT = 8 * MOST_BYTES  # a larger answer would be compressed in vain for each reader


def is_own(request: HttpRequest) -> bool:
    """Whether a page for a reader who is not signed in contains something for this reader only."""
    return bool(request.META.get("CSRF_COOKIE_NEEDS_UPDATE") or getattr(get_messages(request), "used", False))


def asked_each_time(request: HttpRequest, response: T, tag: str | None, *, same_for_all: bool = True) -> T:
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


def sent(
    request: HttpRequest, permalink_id: str, name: str, of_answer: tuple[str, ...], headers: Mapping[str, str]
) -> HttpResponse | None:
    """The kept answer `name` with these headers, or 304; None if it must be rendered. One query at most.

    The tag of the answer depends on `of_answer` and the permalink.
    """
    seen = permalinks.glance(permalink_id, name, request.headers.get("If-None-Match", ""))
    if seen is None:
        return None
    tag = permalinks.etag(seen, *of_answer)
    if (not_changed := get_conditional_response(request, etag=tag)) is not None:
        not_changed["ETag"] = tag
        return not_changed
    if seen.kept is None or seen.kept_tag != tag or request.META.get("QUERY_STRING"):
        return None
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        response = HttpResponse(seen.kept, headers={**headers, "Content-Encoding": "gzip", "ETag": f"W/{tag}"})
    else:
        response = HttpResponse(gzip.decompress(seen.kept), headers={**headers, "ETag": tag})
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


def keep(link: Permalink, site: str, name: str, of_answer: tuple[str, ...], content: bytes) -> None:
    """Keep an answer to readers of `site` for `sent`, unless it is outdated by now. It may not depend on the reader.

    Readers of another site than the one where the permalink was shared displace nothing: anybody can send another port.
    Only one request at a time keeps an answer of a permalink; a failure is logged, because the reader has the answer.
    """
    if site != link.site or len(content) > MOST_CONTENT:
        return
    packed = gzip.compress(content, 6, mtime=0)
    if len(packed) > MOST_BYTES:
        return
    tag = permalinks.etag(link, *of_answer)
    try:
        with transaction.atomic():
            # Redaction locks this row too, after the deletion was committed. So either the glance finds no permalink
            # without deleted runs, or redaction deletes what is kept here.
            if Permalink.objects.select_for_update(skip_locked=True).filter(pk=link.pk).only("pk").first() is None:
                return
            now = permalinks.glance(link.pk, name)
            if now is not None and now.kept_tag != tag == permalinks.etag(now, *of_answer):
                answer = KeptAnswer(permalink=link, name=name, tag=tag, data=packed)
                KeptAnswer.objects.bulk_create(
                    [answer], update_conflicts=True, unique_fields=["permalink", "name"], update_fields=["tag", "data"]
                )
    except Error as error:
        log.warning("the answer %s of permalink %s is not kept: %s", name, link.pk, error)
