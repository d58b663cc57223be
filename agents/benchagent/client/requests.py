"""Requests of the client: JSON in and out, repeated while the server says that it is busy."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Mapping
from typing import Any, Callable, TypeVar
from urllib.parse import urlsplit

from benchagent import __version__
from benchagent.errors import RequestRefused, ServerSilent
from benchagent.server.answers import retry_after
from benchagent.server.client import host_of
from benchagent.server.exchange import Exchange, NoReply, Reply

from .checked import MISSHAPEN, checked

T = TypeVar("T")
LARGEST = 64 * 2**20  # bytes of an answer: a table of 50,000 values has about 20 MB
MOST_PARTS = 5_000_000  # values of an answer: empty ones, too, take 100 bytes each when they are read
BUSY = frozenset({202, 429, 503})  # 202: a worker makes the file
ATTEMPTS = 30
PAUSE = 1.0  # seconds, if the server names none
LONGEST_PAUSE = 30.0


class Requests:
    """Requests to one server, with a token if there is one."""

    def __init__(self, server: str, token: str | None) -> None:
        self.server = server.rstrip("/")
        self._exchange = Exchange(host_of(server), LARGEST)
        self._headers = {"User-Agent": f"benchagent/{__version__}", "Accept": "application/json"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"

    def ask(self, path: str, read: Callable[[Any], T], body: Mapping[str, object] | None = None) -> T:
        """What `read` makes of the JSON at a path, or at an address of this server; with a body, of its POST.

        Raises RequestRefused, and ServerSilent, also if `read` raises one of MISSHAPEN.
        """
        data = None if body is None else json.dumps(body).encode()
        headers = {**self._headers, **({"Content-Type": "application/json"} if data else {})}
        request = urllib.request.Request(f"{self.server}/{self._path(path)}", data, headers)
        for attempt in range(ATTEMPTS):
            try:
                reply = self._exchange(request, 60, 600)
            except NoReply as error:
                raise ServerSilent(self.server, str(error)) from None
            if reply.status not in BUSY or attempt == ATTEMPTS - 1:
                break
            named = retry_after(reply.headers.get("Retry-After"), reply.headers.get("Date"))
            time.sleep(min(named or PAUSE, LONGEST_PAUSE))
        if sum(map(reply.body.count, (b",", b"[", b"{"))) > MOST_PARTS:
            raise ServerSilent(self.server, f"answers with more than {MOST_PARTS:,} values, too many to read.")
        if reply.status not in (200, 201):
            raise self._refused(reply)
        try:
            return read(json.loads(reply.body))
        except MISSHAPEN:
            raise ServerSilent(self.server, "answers, but not as BenchDB does. Is a proxy in between?") from None

    def _path(self, path: str) -> str:
        """The path of an address of this server; the token must not go to another one. Raises RequestRefused."""
        if path.startswith(("http:", "https:")):
            if not path.startswith(self.server + "/"):
                raise RequestRefused(self.server, 0, f"{urlsplit(path).netloc} is another server")
            path = path[len(self.server) :]
        return path.lstrip("/")

    def _refused(self, reply: Reply) -> RequestRefused:
        try:
            error = json.loads(reply.body)["error"]
            faults = [checked(_fault(fault), "str") for fault in error["faults"]]
            return RequestRefused(self.server, reply.status, checked(error["message"], "str"), faults)
        except MISSHAPEN:
            return RequestRefused(self.server, reply.status, "no reason. Is this the address of a BenchDB server?")


def _fault(fault: Mapping[str, object]) -> str:
    """One fault in words: `/results/3: expected a number`, or only what is expected."""
    place = f"{fault['pointer']}: expected " if fault.get("pointer") else ""
    return f"{place}{fault['expected']}"
