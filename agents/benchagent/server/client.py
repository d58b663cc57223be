"""Sends documents to a BenchDB server: `PUT /api/v1/runs/{run_id}` with gzip, a token and retries.

The contract defines the statuses (docs/result-format.md). Sending a document twice is harmless: the agent chooses its
id, and the server answers 200 to a document that it already has.
"""

from __future__ import annotations

import gzip
import json
import random
import time
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Callable
from urllib.parse import urlsplit

from benchagent import __version__
from benchagent.errors import UsageError

from .answers import Delay, NotNow, ServerAnswer, judge
from .exchange import Exchange, NoReply, Reply, is_loopback
from .signing import SIGNATURE, Signer

__all__ = ["Client", "NotNow", "Patience", "ServerAnswer"]


@dataclass(frozen=True)
class Patience:
    """The number and timing of attempts.

    The limit of the pauses doubles from `first` to `longest` seconds; each pause is uniformly distributed between 0 and
    its limit. `timeout` bounds each wait for the server in seconds, `whole` each attempt from start to end.
    """

    attempts: int = 8
    first: float = 1.0
    longest: float = 60.0
    timeout: float = 60.0
    whole: float = 600.0

    def pauses(self) -> Iterator[float]:
        for attempt in range(self.attempts - 1):
            yield random.uniform(0, min(self.longest, self.first * 2**attempt))


class Client:
    """One server, one token."""

    def __init__(self, server: str, token: str, patience: Patience | None = None, signer: Signer | None = None) -> None:
        """With a `signer`, the documents of runs are signed as they are sent."""
        host = host_of(server)
        self._exchange = Exchange(host)
        if not token.isascii() or not token.isprintable() or " " in token or not token:
            raise UsageError("The token holds blanks or characters that a token never has.")
        self.server, self._token = server.rstrip("/"), token
        self.in_plain = server.startswith("http:") and not is_loopback(host)  # others on the network can read the token
        self._patience = patience or Patience()
        self._signer = signer

    def with_patience(self, patience: Patience) -> Client:
        """A client of the same server and token with another patience."""
        return Client(self.server, self._token, patience, self._signer)

    def send(self, run_id: str, document: bytes, waiting: Callable[[str, float], None]) -> ServerAnswer:
        """Send one document until the server decides. `waiting(why, seconds)` is called before each pause.

        Raises NotNow if the server does not decide in time, or if only a person can help (a wrong token or address, a
        key that cannot sign).
        """
        signature = {} if self._signer is None else {SIGNATURE: self._signer(document)}
        return self.put(f"runs/{run_id}", {"run_id": run_id}, document, waiting, signature)

    def put(
        self,
        path: str,
        names: Mapping[str, str],
        document: bytes,
        waiting: Callable[[str, float], None],
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> ServerAnswer:
        """PUT a document to `/api/v1/{path}`. The answer to a stored document must repeat `names`."""
        request = urllib.request.Request(
            f"{self.server}/api/v1/{path}",
            method="PUT",
            data=gzip.compress(document, mtime=0),
            headers={
                "Content-Type": "application/json",
                "Content-Encoding": "gzip",
                "Authorization": f"Bearer {self._token}",
                "User-Agent": f"benchagent/{__version__}",
                **headers,
            },
        )
        pauses = self._patience.pauses()
        while True:
            try:
                outcome = self._attempt(request, names)
            except NotNow as error:
                raise NotNow(f"{self.server} {error}", only_this=error.only_this, status=error.status) from None
            if isinstance(outcome, ServerAnswer):
                return outcome
            pause = next(pauses, None)
            if pause is None:
                raise NotNow(f"{self.server} {outcome.why}.")
            pause += outcome.not_before  # on top of it, so that not all agents retry at once
            waiting(f"{self.server} {outcome.why}", pause)
            time.sleep(pause)

    def get(self, path: str) -> Reply:
        """The reply to one GET of `/api/v1/{path}`. Raises NoReply."""
        headers = {"Authorization": f"Bearer {self._token}", "User-Agent": f"benchagent/{__version__}"}
        request = urllib.request.Request(f"{self.server}/api/v1/{path}", headers=headers)
        return self._exchange(request, self._patience.timeout, self._patience.whole)

    def state_of(self, run_id: str) -> str:
        """How far the server is with a run: received, computing, ready, failed. Raises NoReply."""
        reply = self.get(f"runs/{run_id}/state")
        try:
            return str(json.loads(reply.body)["state"])
        except (ValueError, KeyError, TypeError, RecursionError):
            raise NoReply(f"answered {reply.status} to a question for the state of a run") from None

    def post(self, path: str, body: Mapping[str, object]) -> Reply:
        """The reply to one POST of `body` to `/api/v1/{path}`. Raises NoReply."""
        request = urllib.request.Request(
            f"{self.server}/api/v1/{path}",
            method="POST",
            data=json.dumps(body).encode("utf-8", "replace"),
            headers={
                "Content-Type": "application/json",
                "Authorization": f"Bearer {self._token}",
                "User-Agent": f"benchagent/{__version__}",
            },
        )
        return self._exchange(request, self._patience.timeout, self._patience.whole)

    def _attempt(self, request: urllib.request.Request, names: Mapping[str, str]) -> Delay | ServerAnswer:
        try:
            return judge(self._exchange(request, self._patience.timeout, self._patience.whole), names)
        except NoReply as error:
            if error.lasting:
                raise NotNow(f"{error}.") from None
            return Delay(str(error))


def host_of(server: str) -> str:
    """The host of a server's address. Raises UsageError if the address is invalid."""
    try:
        parts = urlsplit(server)
        host, _ = parts.hostname or "", parts.port
        host.encode("idna")
    except ValueError:
        host = ""
    if not host or parts.scheme not in ("http", "https") or parts.query or parts.fragment or "@" in parts.netloc:
        raise UsageError(f"{server!r} is not a server's address; write it as https://benchdb.example")
    return host
