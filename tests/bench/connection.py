"""One persistent connection to a server that measures the time of answers with little overhead of its own."""

from __future__ import annotations

import socket
import time
from dataclasses import dataclass
from types import TracebackType
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Answer:
    """`seconds`: from sending the first byte to receiving the last."""

    status: int
    head: str
    body: bytes
    seconds: float

    def field(self, name: str) -> str:
        """A header field of the answer, "" if it is missing."""
        return next((line.partition(": ")[2] for line in self.head.splitlines() if line.startswith(f"{name}: ")), "")


EMPTY = "/empty/"  # the address of an empty view (tests/bench/server/urls.py)
KEPT_SECONDS = 1.0  # the server closes a connection after twice this idle time


class Connection:
    """Sends requests one after another, as one reader or agent does."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self.place = (parts.hostname or "", parts.port or 80)
        self._open()

    def _open(self) -> None:
        self.socket = socket.create_connection(self.place, timeout=120)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.used = time.perf_counter()

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.socket.close()

    def ask(self, path: str, method: str = "GET", body: bytes = b"", expected: int = 200, **fields: str) -> Answer:
        """Send a request and require this status of its answer; `fields` are header fields, with _ for -."""
        lines = [f"{method} {path} HTTP/1.1", "host: localhost", f"content-length: {len(body)}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
        request = "\r\n".join(lines).encode() + b"\r\n\r\n" + body
        if time.perf_counter() - self.used > KEPT_SECONDS:
            self.socket.close()
            self._open()
        started, read = time.perf_counter(), b""
        self.socket.sendall(request)
        while (end := read.find(b"\r\n\r\n")) < 0:
            read += self._more()
        head = read[:end].decode("latin-1")
        length = int(head.lower().partition("content-length: ")[2].partition("\r\n")[0] or 0)
        parts = [read[end + 4 :]]
        left = length - len(parts[0])
        is_whole = (
            b"\r\n0\r\n\r\n" if "transfer-encoding: chunked" in head.lower() else b""
        )  # of pieces; else its length
        while left > 0 or (is_whole and not b"".join(parts[-2:]).endswith(is_whole)):
            parts.append(self._more())
            left -= len(parts[-1])
        self.used = time.perf_counter()
        seconds = self.used - started
        status = int(head.split(" ", 2)[1])
        if status != expected:
            raise SystemExit(f"bench: {method} {path} answered {status}: {b''.join(parts)[:500]!r}")
        return Answer(status, head, b"".join(parts), seconds)

    def settled(self, path: str, encoding: str = "identity") -> float:
        """The seconds of an answer and of the server's work after it, for which the connection's next answer waits."""
        seconds = self.ask(path, accept_encoding=encoding).seconds
        next_one = self.ask(EMPTY).seconds
        return seconds + next_one - self.ask(EMPTY).seconds

    def _more(self) -> bytes:
        found = self.socket.recv(1 << 18)
        if not found:
            raise SystemExit("bench: the server closed the connection")
        return found
