"""A source whose answers the tests make, on a real HTTP server of this process."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User

from benchdb.federation.models import Source
from benchdb.federation.services import add_source
from tests.support.documents import document, encoded


@dataclass
class Given:
    """An answer: its status, headers and body. With `until` it does not end before this event."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    until: threading.Event | None = None


@dataclass
class OtherServer:
    """A server with changes and documents; `given` replaces the answers of paths, `asked` has the paths of requests."""

    address: str = ""
    changes: list[dict[str, Any]] = field(default_factory=list)
    documents: dict[str, bytes] = field(default_factory=dict)
    given: dict[str, Given] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    greatest: int | None = None

    def add(self, sent: dict[str, Any] | None = None, **fields: Any) -> UUID:
        """Store a document there."""
        sent = document(visibility="public") if sent is None else sent
        self.documents[sent["run_id"]] = encoded(sent)
        run_id = UUID(sent["run_id"])
        self.change(run_id, **{"labels": sent["labels"], **fields})
        return run_id

    def change(self, run_id: UUID, **fields: Any) -> None:
        """Give a run another change, in place of its last one."""
        number = max((each["change"] for each in self.changes), default=0) + 1
        self.changes = [each for each in self.changes if each["run_id"] != str(run_id)]
        plain = {"left": None, "reason": "", "labels": {}, "reading": 1, "origin": None}
        self.changes.append({"run_id": str(run_id), "change": number, **plain, **fields})

    def leave(self, run_id: UUID, left: str, reason: str = "") -> None:
        """Let a run leave the lists there."""
        self.change(run_id, left=left, reason=reason)
        if left == "deleted":
            del self.documents[str(run_id)]

    def answer(self, path: str) -> Given:
        """The answer to a GET."""
        self.asked.append(path)
        if path in self.given:
            return self.given[path]
        if path.startswith("/api/v1/changes?after="):
            after = int(path.partition("=")[2])
            greatest = max((each["change"] for each in self.changes), default=0)
            page = [each for each in self.changes if each["change"] > after][:3]
            answer = {"changes": page, "greatest": greatest if self.greatest is None else self.greatest}
            return Given(json.dumps(answer).encode())
        body = self.documents.get(path.split("/")[-2])
        return Given(b"{}", 410) if body is None else Given(body)


@pytest.fixture
def other() -> Iterator[OtherServer]:
    server = OtherServer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            given = server.answer(self.path)
            self.send_response(given.status)
            headers = {"Content-Type": "application/json", "Content-Length": str(len(given.body)), **given.headers}
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(given.body)
            if given.until is not None:
                given.until.wait()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        server.address = f"http://127.0.0.1:{listening.server_address[1]}"
        try:
            yield server
        finally:
            listening.shutdown()
            thread.join()


@pytest.fixture
def source(owner: User, other: OtherServer) -> Source:
    return add_source("lab", other.address, owner)
