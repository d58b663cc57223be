"""Interprets the server's answer to a document (docs/result-format.md lists the statuses)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import TypedDict

from .exchange import Reply

STORED = frozenset({200, 201})
# The document itself is faulty or unwanted: sending it again would change nothing.
REFUSED = frozenset({400, 409, 410, 413, 415, 422})
NO_ROOM = 507  # a quota: only a person can make room, so the document waits without further attempts
LATER = frozenset({408, 425, 429})  # and everything from 500
REDIRECTS = frozenset({301, 302, 303, 307, 308})
LONGEST_WORDS = 1000  # characters of a message that lists faults
LONGEST_WAIT = 600.0  # seconds, whatever Retry-After says


class NotNow(Exception):
    """The server did not decide about the document, which is to be sent again later.

    The text continues a sentence that begins with the server's address. With `only_this`, other documents may be
    accepted. `status` is the HTTP status, 0 if there was no answer.
    """

    def __init__(self, why: str, *, only_this: bool = False, status: int = 0) -> None:
        super().__init__(why)
        self.only_this, self.status = only_this, status


class StoredAnswer(TypedDict, total=False):
    """A decision as the spool keeps it."""

    status: int
    body: Mapping[str, object]


@dataclass(frozen=True)
class ServerAnswer:
    """The server's decision about a document; `body` is the JSON of the answer."""

    status: int
    body: Mapping[str, object]

    @property
    def stored(self) -> bool:
        return self.status in STORED

    @property
    def message(self) -> str:
        """The server's own sentence about a refused document, on one line."""
        return " ".join((_message(self.body) or "").split())

    def as_dict(self) -> StoredAnswer:
        return {"status": self.status, "body": dict(self.body)}


@dataclass(frozen=True)
class Delay:
    """A reason to send the same document again, after a pause."""

    why: str
    not_before: float = 0.0  # seconds


def judge(reply: Reply, names: Mapping[str, str]) -> Delay | ServerAnswer:
    """The server's decision, or a reason to try again. The answer to a stored document must repeat `names`.

    Raises NotNow if only a person can help.
    """
    body, status = _json(reply.body), reply.status
    message = _message(body)
    words = _excerpt(message.encode("utf-8", "replace"), LONGEST_WORDS) if message else None
    why = f"answered {status}" + (f": {words}" if words else "")
    if status in STORED:
        if not reply.body:  # the connection ended before the body
            return Delay(f"{why} and nothing else")
        if any(body.get(key) != value for key, value in names.items()):
            raise NotNow(f"{why}, but not as BenchDB does. Is a proxy or a login page in between?")
        return ServerAnswer(status, body)
    if status in REFUSED:
        if words is None:
            excerpt = repr(_excerpt(reply.body)) if reply.body else "nothing"
            raise NotNow(f"{why}, but not as BenchDB does: {excerpt}. Is a proxy in between?", only_this=True)
        return ServerAnswer(status, body)
    if status == NO_ROOM:
        raise NotNow(f"has no room for more of this account ({why}). Nothing is lost.", status=status)
    if status >= 500 or status in LATER:
        return Delay(why, retry_after(reply.headers.get("Retry-After"), reply.headers.get("Date")))
    raise NotNow(_advice(status, why, reply), status=status)


def _advice(status: int, why: str, reply: Reply) -> str:
    if status == 401:
        return f"does not know the token ({why})."
    if status == 403:
        return f"does not let this token upload ({why})."
    if status in REDIRECTS:
        location = repr(_excerpt(str(reply.headers.get("Location") or "nowhere").encode("utf-8", "replace")))
        return f"{why} and points to {location}. Name the server by its own address; the token goes nowhere else."
    return f"{why}. Is this the address of a BenchDB server?"


def _message(body: Mapping[str, object]) -> str | None:
    error = body.get("error")
    words = error.get("message") if isinstance(error, dict) else None
    return words if isinstance(words, str) else None


def _json(data: bytes) -> Mapping[str, object]:
    """The answer's JSON object; empty if the answer is not one."""
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return body if isinstance(body, dict) else {}


def _excerpt(data: bytes, longest: int = 100) -> str:
    """The beginning of a text, on one line, without control characters of terminals."""
    text = " ".join(data[: 10 * longest].decode("utf-8", "replace").split())
    return "".join(char if char.isprintable() else "?" for char in text[:longest])


def retry_after(value: str | None, now: str | None = None) -> float:
    """Seconds until a Retry-After, given as a number or a date (RFC 9110, 10.2.3); at most ten minutes, 0 if invalid.

    `now` is the server's own time from its answer, because this machine's clock may be wrong.
    """
    if value is None:
        return 0.0
    if value.strip().isascii() and value.strip().isdigit():
        return min(float(value), LONGEST_WAIT)
    date, served = _date(value), _date(now)
    if date is None:
        return 0.0
    return min(max((date - (served or datetime.now(timezone.utc))).total_seconds(), 0.0), LONGEST_WAIT)


def _date(value: str | None) -> datetime | None:
    try:
        date = parsedate_to_datetime(value or "")
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
    return date if date.tzinfo else date.replace(tzinfo=timezone.utc)
