"""Sends documents to a BenchDB server: `PUT /api/v1/runs/{run_id}`, gzip, a token, patience.

What the status means is the contract's (docs/result-format.md). Sending twice is harmless: the id is the agent's, and
the server answers 200 to a document it has.
"""

from __future__ import annotations

import gzip
import http.client
import ipaddress
import json
import random
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Callable
from urllib.parse import urlsplit

from . import __version__
from .errors import UsageError

TIMEOUT = 60.0  # seconds for a connection and for each answer
LONGEST_ANSWER = 1024**2
STORED = frozenset({200, 201})
# The document itself is at fault or unwanted: sending it again would change nothing.
REFUSED = frozenset({400, 409, 410, 413, 415, 422})
LATER = frozenset({408, 425, 429})  # and everything from 500


class NotNow(Exception):
    """The server did not decide about the document; its text says why. The document is still worth sending."""


@dataclass(frozen=True)
class Answer:
    """The server's last word on a document; `body` is its JSON, or what it said instead under `text`."""

    status: int
    body: Mapping[str, Any]

    @property
    def stored(self) -> bool:
        return self.status in STORED

    def as_dict(self) -> dict[str, Any]:
        return {"status": self.status, "body": dict(self.body)}


@dataclass(frozen=True)
class Patience:
    """How long to try: pauses double from `first` to `longest` seconds, each drawn evenly between 0 and that."""

    attempts: int = 8
    first: float = 1.0
    longest: float = 60.0

    def pauses(self) -> Iterator[float]:
        for attempt in range(self.attempts - 1):
            yield random.uniform(0, min(self.longest, self.first * 2**attempt))


class Client:
    """One server, one token."""

    def __init__(self, server: str, token: str, patience: Patience | None = None) -> None:
        parts = urlsplit(server)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(f"{server!r} is not a server's address; write it as https://benchdb.example")
        if not token.isascii() or not token.isprintable() or " " in token or not token:
            raise UsageError("The token holds blanks or characters that a token never has.")
        self.server, self._token = server.rstrip("/"), token
        self._patience = patience or Patience()
        # Redirects are not followed (a PUT loses its body on the way); this machine is not reached through a proxy.
        proxies = [urllib.request.ProxyHandler({})] if _is_loopback(parts.hostname) else []
        self._opener = urllib.request.build_opener(*proxies)

    def send(self, run_id: str, document: bytes, waiting: Callable[[str, float], None]) -> Answer:
        """Send one document until the server decides. `waiting(why, seconds)` is called before each pause.

        Raises NotNow where it does not decide in time, or where trying again is of no use before a person did something
        (a wrong token, a wrong address).
        """
        request = urllib.request.Request(
            f"{self.server}/api/v1/runs/{run_id}",
            method="PUT",
            data=gzip.compress(document, mtime=0),
            headers={
                "Content-Type": "application/json",
                "Content-Encoding": "gzip",
                "Authorization": f"Bearer {self._token}",
                "User-Agent": f"benchagent/{__version__}",
            },
        )
        pauses = self._patience.pauses()
        while True:
            outcome = self._attempt(request)
            if isinstance(outcome, Answer):
                return outcome
            pause = next(pauses, None)
            if pause is None:
                raise NotNow(f"{self.server} {outcome.why}.")
            pause = max(pause, outcome.not_before)
            waiting(f"{self.server} {outcome.why}", pause)
            time.sleep(pause)

    def _attempt(self, request: urllib.request.Request) -> _Delay | Answer:
        try:
            with self._opener.open(request, timeout=TIMEOUT) as response:
                return Answer(response.status, _body(_read(response)))
        except urllib.error.HTTPError as error:
            with error:
                return self._judge(error.code, error.headers.get("Retry-After"), _body(error.read(LONGEST_ANSWER)))
        except urllib.error.URLError as error:
            return _Delay(f"cannot be reached: {error.reason}")
        except (OSError, http.client.HTTPException) as error:
            return _Delay(f"broke off: {error or type(error).__name__}")

    def _judge(self, status: int, retry_after: str | None, body: Mapping[str, Any]) -> _Delay | Answer:
        if status in REFUSED:
            return Answer(status, body)
        said = body.get("error", {})
        words = said.get("message") if isinstance(said, dict) else None
        why = f"answered {status}" + (f": {words}" if words else "")
        if status >= 500 or status in LATER:
            return _Delay(why, _retry_after(retry_after))
        if status == 401:
            raise NotNow(f"{self.server} does not know the token ({why}).")
        if status == 403:
            raise NotNow(f"{self.server} does not let this token upload ({why}).")
        raise NotNow(f"{self.server} {why}. Is this the address of a BenchDB server?")


@dataclass(frozen=True)
class _Delay:
    why: str
    not_before: float = 0.0  # seconds


def _read(response: http.client.HTTPResponse) -> bytes:
    """The answer's body. Raises IncompleteRead where the connection ended in it, which `read(amount)` does not."""
    data = response.read(LONGEST_ANSWER)
    if response.length and len(data) < LONGEST_ANSWER:
        raise http.client.IncompleteRead(data, response.length)
    return data


def _body(data: bytes) -> Mapping[str, Any]:
    try:
        body = json.loads(data)
    except ValueError:
        return {"text": data.decode("utf-8", "replace")[:2000]}
    return body if isinstance(body, dict) else {"text": str(body)[:2000]}


def _retry_after(value: str | None) -> float:
    """Seconds, of a number of them or of a date (RFC 9110, 10.2.3); at most ten minutes, 0 for what is neither."""
    if value is None:
        return 0.0
    if value.strip().isascii() and value.strip().isdigit():
        return min(float(value), 600.0)
    try:
        date = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return 0.0
    aware = date if date.tzinfo else date.replace(tzinfo=timezone.utc)
    return min(max((aware - datetime.now(timezone.utc)).total_seconds(), 0.0), 600.0)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
