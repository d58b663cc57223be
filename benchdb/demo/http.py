"""Requests to the demo's own server on this machine."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any

TIMEOUT = 30  # seconds
# No proxy for this machine itself.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Unexpected(Exception):
    """An unexpected answer of the server; the message contains it."""


def get(url: str) -> str:
    """The text of a page. Raises Unexpected for any status but success."""
    return _open(urllib.request.Request(url)).decode()


def get_json(url: str) -> Any:
    """The JSON at an address. Raises Unexpected."""
    return json.loads(get(url))


def post_json(url: str, token: str, body: Mapping[str, object]) -> Any:
    """The JSON response to a JSON body. Raises Unexpected."""
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    return json.loads(_open(urllib.request.Request(url, json.dumps(body).encode(), headers, method="POST")))


def _open(request: urllib.request.Request) -> bytes:
    try:
        with _opener.open(request, timeout=TIMEOUT) as response:
            content: bytes = response.read()
            return content
    except urllib.error.HTTPError as error:
        with error:
            body = error.read(2000).decode("utf-8", "replace")
        raise Unexpected(f"{request.full_url} answered {error.code}: {body}") from None
    except OSError as error:
        raise Unexpected(f"{request.full_url}: {error}") from None
