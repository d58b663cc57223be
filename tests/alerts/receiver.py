"""A receiver of webhooks: an HTTP server of the standard library on the loopback."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

from standardwebhooks import Webhook


@dataclass
class Receiver:
    """What arrived, as pairs of headers and body; `answers` are the next statuses, then 204."""

    url: str = ""
    received: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)

    def verified(self, secret: str) -> list[dict[str, Any]]:
        """The contents of all requests. Raises an error for a wrong signature or an old time."""
        for headers, body in self.received:
            Webhook(secret).verify(body.decode(), headers)
        return [json.loads(body) for _, body in self.received]

    def ids(self) -> list[str]:
        return [headers["webhook-id"] for headers, _ in self.received]


@contextmanager
def receiving() -> Iterator[Receiver]:
    """A receiver, until the end of the block."""
    receiver = Receiver()

    class WebhookHandler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.received.append(({name.lower(): value for name, value in self.headers.items()}, body))
            status = receiver.answers.pop(0) if receiver.answers else 204
            self.send_response(status)
            if status in (301, 307):
                self.send_header("Location", receiver.url)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Tests print nothing."""

    server = HTTPServer(("127.0.0.1", 0), WebhookHandler)
    receiver.url = f"http://127.0.0.1:{server.server_port}/hook?a=b"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
