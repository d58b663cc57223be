"""Many simultaneous clients of one server: they repeat their own and others' documents and hang up midway."""

import http.client
import json
import random
import socket
import threading
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from tests.support.documents import document, encoded, iozone_document
from tests.system.server import Server

CLIENTS = 20
NEW_SHARE = 0.6  # of all uploads; the others repeat a document of any client
CUT_SHARE = 0.2
SHARED_SHARE = 0.2
PAUSE = (0.1, 0.6)  # seconds between two uploads of a client
# Allowed answers: new, known, too early to share; or temporarily unavailable.
STORED, FROZEN, LATER = (200, 201), (200, 201), (503,)
NOT_READY = 422


@dataclass
class Clients:
    """`sent`: all documents by their ids; `stored`: the acknowledged ids; `links`: the created permalinks.

    `faults`: answers that no client should get.
    """

    server: Server
    secret: str
    seed: int
    sent: dict[str, dict[str, Any]] = field(default_factory=dict)
    stored: set[str] = field(default_factory=set)
    links: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)
    _over: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)

    def start(self) -> None:
        for number in range(CLIENTS):
            self._threads.append(threading.Thread(target=self._work, args=(random.Random(f"{self.seed}/{number}"),)))
            self._threads[-1].start()

    def finish(self) -> None:
        """Let every client deliver its documents, and end."""
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _work(self, chance: random.Random) -> None:
        while not self._over.wait(chance.uniform(*PAUSE)):
            self._deliver(self._choose(chance), chance)
            if chance.random() < SHARED_SHARE and len(self.stored) > 1:
                self._share(chance.sample(sorted(self.stored), 2))

    def _choose(self, chance: random.Random) -> dict[str, Any]:
        if self.sent and chance.random() > NEW_SHARE:
            return self.sent[chance.choice(list(self.sent))]
        made = (iozone_document if chance.random() < 0.1 else document)(visibility="public")
        return self.sent.setdefault(made["run_id"], made)

    def _deliver(self, made: dict[str, Any], chance: random.Random) -> None:
        """Upload repeatedly, as an agent does, until the server acknowledges the document."""
        while True:
            if chance.random() < CUT_SHARE:
                self._hang_up(made, chance)
            status = self._request("PUT", f"api/v1/runs/{made['run_id']}", encoded(made))[0]
            if status in STORED:
                self.stored.add(made["run_id"])
                return
            self._over.wait(chance.uniform(*PAUSE))

    def _share(self, runs: list[str]) -> None:
        body = json.dumps({"query": "&".join(f"run={run}" for run in runs)}).encode()
        status, answer = self._request("POST", "api/v1/permalinks", body, allowed=(*FROZEN, NOT_READY))
        if status in FROZEN:
            self.links.add(answer["id"])

    def _request(
        self, method: str, path: str, body: bytes, allowed: tuple[int, ...] = STORED
    ) -> tuple[int | None, dict[str, Any]]:
        """Status and answer; None if there was no answer."""
        try:
            status, answer = self.server.request(path, method, self.secret, body)
        except (OSError, http.client.HTTPException) as error:
            self.seen[type(error).__name__] += 1
            return None, {}
        self.seen[str(status)] += 1
        if status not in (*allowed, *LATER):
            self.faults.append(f"{method} {path}: {status} {answer[:500]!r}")
        return status, json.loads(answer)

    def _hang_up(self, made: dict[str, Any], chance: random.Random) -> None:
        """Send only a part of the document."""
        body = encoded(made)
        url = urlsplit(self.server.url)
        head = (
            f"PUT /api/v1/runs/{made['run_id']} HTTP/1.1\r\nHost: {url.netloc}\r\nContent-Type: application/json\r\n"
            f"Authorization: Bearer {self.secret}\r\nContent-Length: {len(body)}\r\n\r\n"
        ).encode()
        try:
            with socket.create_connection((url.hostname, url.port or 80), timeout=10) as connection:
                connection.sendall(head + body[: chance.randrange(len(body))])
        except OSError as error:
            self.seen[f"cut: {type(error).__name__}"] += 1
        else:
            self.seen["cut"] += 1
