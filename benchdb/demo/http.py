"""Requests to the demo's own server on this machine."""

from __future__ import annotations

import json
import time
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
    """The text of a page, once a worker has made it (202). Raises Unexpected for any status but success."""
    deadline = time.monotonic() + TIMEOUT
    while True:
        status, content = _open(urllib.request.Request(url))
        if status != 202:
            return content.decode()
        if time.monotonic() > deadline:
            raise Unexpected(f"{url} was not made within {TIMEOUT} seconds.")
        time.sleep(0.2)


def get_json(url: str) -> Any:
    """The JSON at an address. Raises Unexpected."""
    return json.loads(get(url))


def post_json(url: str, token: str, body: Mapping[str, object]) -> Any:
    """The JSON response to a JSON body. Raises Unexpected."""
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    return json.loads(_open(urllib.request.Request(url, json.dumps(body).encode(), headers, method="POST"))[1])


def put(url: str, token: str, body: bytes) -> None:
    """Send a JSON document, as an agent does. Raises Unexpected."""
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    _open(urllib.request.Request(url, body, headers, method="PUT"))


def _open(request: urllib.request.Request) -> tuple[int, bytes]:
    """Status and content."""
    try:
        with _opener.open(request, timeout=TIMEOUT) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        with error:
            body = error.read(2000).decode("utf-8", "replace")
        raise Unexpected(f"{request.full_url} answered {error.code}: {body}") from None
    except OSError as error:
        raise Unexpected(f"{request.full_url}: {error}") from None
