"""A program that uses the site: one request on each connection, and patience until workers have done their part."""

import http.client
import json
import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from tests.support.documents import Section, uuid7

PATIENCE = 300.0  # seconds for one answer, and for what a worker does for it
POLL_SECONDS = 0.2
GIVEN_UP = 599  # in place of a status
PACKED = {"Accept-Encoding": "gzip"}


def made(send: Callable[[], tuple[int, Any]]) -> tuple[int, Any]:
    """The answer to a request that is sent until a worker has made what it is for, or until it is its turn."""
    end = time.monotonic() + PATIENCE
    while (answer := send())[0] in (202, 429) and time.monotonic() < end:
        time.sleep(POLL_SECONDS)
    return answer


class Client:
    """Sends requests with a token; each method returns the status of the last answer."""

    def __init__(self, url: str, secret: str) -> None:
        parts = urlsplit(url)
        self.place = (parts.hostname or "", parts.port or 80)
        self.bearer = {"Authorization": f"Bearer {secret}"}
        self.draft = ""  # the path of the last import

    def ask(
        self, path: str, method: str = "GET", body: bytes | None = None, fields: Mapping[str, str] = PACKED
    ) -> tuple[int, bytes]:
        """Status and body of one answer."""
        connection = http.client.HTTPConnection(*self.place, timeout=PATIENCE)
        try:
            connection.request(method, path, body, {"Connection": "close", **fields})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def get(self, path: str) -> int:
        """Read a page or a file, as a reader who is not signed in, until the worker that makes it is done."""
        return made(lambda: self.ask(path))[0]

    def own(self, path: str) -> int:
        """Read something of one's own."""
        return self.ask(path, fields=self.bearer)[0]

    def put(self, run_id: str, packed: bytes) -> int:
        """Store a document, and wait until its statistics are ready."""
        path = f"/api/v1/runs/{run_id}"
        fields = {**self.bearer, "Content-Type": "application/json", "Content-Encoding": "gzip"}
        status, _ = self.ask(path, "PUT", packed, fields)
        return status if status >= 400 else self._until(f"{path}/state", ("ready",), ("failed",)) or status

    def post(self, path: str, content: Section) -> tuple[int, Section]:
        """Send JSON. Returns the status, and the answer's JSON."""
        fields = {**self.bearer, "Content-Type": "application/json"}
        status, body = self.ask(path, "POST", json.dumps(content).encode(), fields)
        return status, json.loads(body) if status < 400 else {}

    def give_file(self, content: bytes) -> int:
        """Give a file to import, and wait until it is read."""
        border = uuid7().hex
        head = f'--{border}\r\nContent-Disposition: form-data; name="files"; filename="iozone.txt"\r\n\r\n'
        body = head.encode() + content + f"\r\n--{border}--\r\n".encode()
        fields = {**self.bearer, "Content-Type": f"multipart/form-data; boundary={border}"}
        status, answer = self.ask("/api/v1/imports", "POST", body, fields)
        if status >= 400:
            return status
        self.draft = f"/api/v1/imports/{json.loads(answer)['id']}"
        return self._until(f"{self.draft}/state", ("ready",)) or status

    def store_import(self) -> int:
        """Store what was read last, and wait until it is stored."""
        status, _ = self.post(f"{self.draft}/store", {"machine": "an old one", "visibility": "public"})
        return status if status >= 400 else self._until(f"{self.draft}/state", ("stored",), ("ready",)) or status

    def _until(self, path: str, wanted: tuple[str, ...], failed: tuple[str, ...] = ()) -> int:
        """Ask for a state until it is a wanted one. Returns 0 then, else the status of a failure."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            status, body = self.ask(path, fields=self.bearer)
            if status != 200:
                return status
            state = json.loads(body)["state"]
            if state in wanted:
                return 0
            if state in failed:
                return GIVEN_UP
            time.sleep(POLL_SECONDS)
        return GIVEN_UP
