"""Checks whether the server answers, accepts the token, and has the same time."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from email.utils import parsedate_to_datetime

from benchagent.server.client import Client
from benchagent.server.exchange import NoReply, Reply

from .finding import DiagnosisFinding, lacking, present
from .machine import clock

SEVERAL = 5.0  # seconds; Date has no fractions, and the answer takes time to arrive
UPLOAD = "upload"  # the scope


def server(client: Client | None) -> Iterator[DiagnosisFinding]:
    """All checks of the server, and of the clock, which is compared with the server's."""
    if client is None:
        yield clock()
        return
    try:
        before = time.time()
        reply = client.get("token")
        after = time.time()
    except NoReply as error:
        yield lacking("server", "uploads", f"{client.server} {error}")
        yield clock()
        return
    if client.in_plain:
        yield lacking("TLS", "the token", "is sent unencrypted; use https:// if the server supports it", optional=True)
    yield _judge(client.server, reply)
    yield _compare_clocks(reply.headers.get("Date"), before, after)


def _judge(address: str, reply: Reply) -> DiagnosisFinding:
    what, purpose = "server", "uploads"
    if reply.status == 401:
        return lacking(what, purpose, f"{address} does not know the token; make one at {address}/agent/")
    if reply.status != 200:
        return lacking(what, purpose, f"{address} answered {reply.status}; is this the address of a BenchDB server?")
    scopes = _scopes(reply.body)
    if scopes is None:
        return lacking(what, purpose, f"{address} answered something else; is this the address of a BenchDB server?")
    if UPLOAD not in scopes:
        return lacking(what, purpose, f"{address} lets this token do only: {', '.join(scopes)}; make another one")
    return present(what, purpose, f"{address} takes the token ({', '.join(scopes)})")


def _scopes(body: bytes) -> list[str] | None:
    """The scopes of the token, as printable identifiers; None if the answer has none."""
    try:
        scopes = json.loads(body)["scopes"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    valid = isinstance(scopes, list) and all(isinstance(scope, str) and scope.isidentifier() for scope in scopes)
    return scopes if valid else None


def _compare_clocks(date: str | None, before: float, after: float) -> DiagnosisFinding:
    what, purpose = "clock", "when runs were measured"
    try:
        theirs = parsedate_to_datetime(date or "").timestamp()
    except (TypeError, ValueError, IndexError, OverflowError):
        return clock()
    ahead = before - SEVERAL - theirs if before - SEVERAL > theirs else min(after + SEVERAL - theirs, 0.0)
    if ahead:
        side = "ahead of" if ahead > 0 else "behind"
        return lacking(what, purpose, f"{abs(ahead) + SEVERAL:.0f} s {side} the server's; synchronize it", "chrony")
    return present(what, purpose, "the same as the server's")
