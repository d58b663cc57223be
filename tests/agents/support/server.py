"""A server on loopback with scripted answers. It simulates the network, not BenchDB."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Union


@dataclass(frozen=True)
class Say:
    """Answer with a status, JSON (or unchanged bytes) and headers; a success has the id of the run."""

    status: int
    body: Any = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)


class HangUp:
    """Close the connection without an answer."""


class CutOff:
    """Begin an answer and close the connection in the middle."""


class Silence:
    """Take the request and never answer."""


@dataclass(frozen=True)
class Endless:
    """Send `start`, then `more` repeatedly, every `pause` seconds, until the client closes the connection."""

    start: bytes
    more: bytes
    pause: float = 0.0


@dataclass(frozen=True)
class Early:
    """Read this many bytes of the body, send the text, if any, and close without reading the rest."""

    read: int
    say: bytes = b""


Script = Union[Say, HangUp, CutOff, Silence, Endless, Early]


@dataclass
class Received:
    path: str
    headers: dict[str, str]
    document: bytes


class Server:
    """Answers requests by its script, repeating the last line; `received` has the requests.

    Campaigns are separate: `campaigns` has their requests, `of_campaigns` is the answer to all of them. So are
    questions for the state of a run, which `states` answers, repeating the last one.
    """

    def __init__(self, *script: Script) -> None:
        self.script = list(script)
        self.received: list[Received] = []
        self.campaigns: list[Received] = []
        self.states = ["computing", "ready"]
        self.of_campaigns: Script = Say(201, {"url": "/campaigns/1/"})
        self.url = ""
        self.closing = threading.Event()

    def next(self) -> Script:
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]


@contextmanager
def serving(*script: Script) -> Iterator[Server]:
    server = Server(*script)
    http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(server))
    server.url = f"http://127.0.0.1:{http.server_address[1]}"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        http.shutdown()
        thread.join()
        http.server_close()


def _handler(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_PUT(self) -> None:
            of_campaign = self.path.startswith("/api/v1/campaigns/")
            answer = server.of_campaigns if of_campaign else server.next()
            if isinstance(answer, Early):
                self.rfile.read(answer.read)
                self.wfile.write(answer.say)
                self.close_connection = True
                return
            body = self.rfile.read(int(self.headers["Content-Length"]))
            received = server.campaigns if of_campaign else server.received
            received.append(Received(self.path, dict(self.headers), gzip.decompress(body)))
            if isinstance(answer, HangUp):
                self.close_connection = True
            elif isinstance(answer, CutOff):
                self.wfile.write(b"HTTP/1.0 201 Created\r\nContent-Length: 1000\r\n\r\n{")
            elif isinstance(answer, Silence):
                server.closing.wait()
            elif isinstance(answer, Endless):
                self.go_on(answer)
            else:
                self.say(answer)

        def do_GET(self) -> None:
            """Questions of the client, answered by the same script; those for the state of a run by `states`."""
            if self.path.endswith("/state"):
                state = server.states.pop(0) if len(server.states) > 1 else server.states[0]
                self.say(Say(200, {"state": state}))
                return
            server.received.append(Received(self.path, dict(self.headers), b""))
            answer = server.next()
            if isinstance(answer, Say):
                self.say(answer)
            else:
                self.close_connection = True

        def do_POST(self) -> None:
            """The queue: plain JSON, answered by the same script."""
            body = self.rfile.read(int(self.headers["Content-Length"]))
            server.received.append(Received(self.path, dict(self.headers), body))
            answer = server.next()
            if isinstance(answer, Say):
                self.say(answer)
            else:
                self.close_connection = True

        def go_on(self, answer: Endless) -> None:
            with suppress(OSError):  # the client has closed the connection
                self.wfile.write(answer.start)
                while not server.closing.wait(answer.pause):
                    self.wfile.write(answer.more)

        def say(self, answer: Say) -> None:
            body = answer.body
            if answer.status in (200, 201) and isinstance(body, dict):
                kind, named = self.path.split("/")[-2:]  # names in a queue's answers are not used
                body = {**body, f"{kind[:-1]}_id": named}
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *arguments: object) -> None:
            """The test's own output is enough."""

    return Handler
