"""Sends one HTTP request and reads the whole answer, with limits of size and time."""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
import urllib.error
import urllib.request
import zlib
from contextlib import suppress
from dataclasses import dataclass
from email.message import Message
from functools import partial
from typing import IO, Any

LONGEST_ANSWER = 1024**2  # bytes
LONGEST_WORDS = 200  # characters of a faulty answer
GZIP = 16 + zlib.MAX_WBITS  # what zlib calls the format
CUT = 5.0  # seconds in which a thread whose connection was cut ends


@dataclass(frozen=True)
class Reply:
    """A complete HTTP answer."""

    status: int
    headers: Message
    body: bytes


class NoReply(Exception):
    """There was no complete answer; if `lasting`, only a person can help.

    The text continues a sentence that begins with the server's address.
    """

    def __init__(self, why: str, *, lasting: bool = False) -> None:
        super().__init__(why)
        self.lasting = lasting


class Exchange:
    """Requests to one host, without redirects: a PUT would lose its body, and the token is for this host only."""

    def __init__(self, host: str, largest: int = LONGEST_ANSWER) -> None:
        """`largest` is the size of the longest answer that is read, in bytes."""
        self._largest = largest
        # Proxies that the environment names are for other machines only.
        self._proxies = [urllib.request.ProxyHandler({})] if is_loopback(host) else []

    def __call__(self, request: urllib.request.Request, timeout: float, longest: float) -> Reply:
        """The reply to a request. Raises NoReply.

        Each wait lasts at most `timeout` seconds, the whole exchange at most `longest` seconds. It has its own thread,
        because a server that sends one byte a minute ends no wait. After that time its connection is cut, which ends
        the thread. Only a thread that waits for the resolver goes on until the resolver gives up.
        """
        outcome: list[Reply | Exception] = []
        sockets = _Sockets()
        thread = threading.Thread(target=self._into, args=(outcome, request, timeout, sockets), daemon=True)
        thread.start()
        thread.join(longest)
        if not outcome:
            sockets.cut()
            thread.join(CUT)
            raise NoReply(f"did not end its answer within {longest:g} s")
        if isinstance(outcome[0], Exception):
            raise outcome[0]
        return outcome[0]

    def _into(
        self, outcome: list[Reply | Exception], request: urllib.request.Request, timeout: float, sockets: _Sockets
    ) -> None:
        try:
            outcome.append(self._run(request, timeout, sockets))
        except Exception as error:  # raised again by the thread that waits
            outcome.append(error)

    def _run(self, request: urllib.request.Request, timeout: float, sockets: _Sockets) -> Reply:
        opener = urllib.request.build_opener(_NoRedirects, _Opener(sockets), *self._proxies)
        try:
            try:
                with opener.open(request, timeout=timeout) as response:
                    return Reply(response.status, response.headers, _read(response, self._largest))
            except urllib.error.HTTPError as error:
                with error:
                    return Reply(error.code, error.headers, _read(error.fp, self._largest))
        except urllib.error.URLError as error:
            raise _unreached(error.reason) from None
        except socket.timeout:  # TimeoutError from Python 3.10 on
            raise NoReply(f"did not answer within {timeout:g} s") from None
        except (OSError, http.client.HTTPException, zlib.error, ValueError) as error:  # of an address as well
            raise NoReply(f"broke off: {_words(error)}") from None


def _read(response: IO[bytes], largest: int) -> bytes:
    """The body of an answer. Raises IncompleteRead if the connection ended early, which `read(amount)` does not."""
    assert isinstance(response, http.client.HTTPResponse)
    data = response.read(largest + 1)
    if len(data) > largest:
        raise NoReply(f"sent more than {largest} bytes, which no BenchDB server does", lasting=True)
    if response.length:
        raise http.client.IncompleteRead(data, response.length)
    if response.headers.get("Content-Encoding", "").strip().lower() == "gzip":  # sent although not requested
        return zlib.decompressobj(GZIP).decompress(data, largest)
    return data


def _unreached(reason: object) -> NoReply:
    """The error of a request that was not sent."""
    if isinstance(reason, ssl.SSLCertVerificationError):
        return NoReply(f"has a certificate that this machine does not trust: {reason.verify_message}", lasting=True)
    if isinstance(reason, (BrokenPipeError, ConnectionResetError)):
        return NoReply(f"broke off: {_words(reason)}")
    if isinstance(reason, OSError):
        return NoReply(f"cannot be reached: {_words(reason)}")
    return NoReply(f"cannot be reached: {reason}")


def _words(error: Exception) -> str:
    """The message of an error without its number, such as `Connection refused`."""
    return (
        (error.strerror if isinstance(error, OSError) else None) or str(error)[:LONGEST_WORDS] or type(error).__name__
    )


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def http_error_302(self, *_request: object, **_more: object) -> None:
        """Return the redirect itself as the answer, without a look at its address, which may be none."""

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


class _Sockets:
    """The sockets of one exchange, which another thread can cut while the exchange waits for them."""

    def __init__(self) -> None:
        self._lock, self._sockets, self._is_cut = threading.Lock(), list[socket.socket](), False

    def add(self, connected: socket.socket) -> None:
        """Add a socket; it is cut at once if the others are."""
        with self._lock:
            self._sockets.append(connected)
            if self._is_cut:
                _shut_down(connected)

    def cut(self) -> None:
        """End every wait for the other side, now and later."""
        with self._lock:
            self._is_cut = True
            for connected in self._sockets:
                _shut_down(connected)


def _shut_down(connected: socket.socket) -> None:
    with suppress(OSError):  # already closed, or replaced by its encrypted one
        socket.socket.shutdown(connected, socket.SHUT_RDWR)  # an encrypted one must not be told while it is read


class _Connection(http.client.HTTPConnection):
    """Reads the answer of a server that closes before it has read the whole request: the answer has the reason.

    Its sockets are added to `sockets` as soon as they are connected, before a proxy or the server sends anything.
    """

    def __init__(self, *args: Any, sockets: _Sockets, **more: Any) -> None:
        self._sockets, self._sock = sockets, None
        super().__init__(*args, **more)

    @property
    def sock(self) -> Any:
        """The socket, None without a connection."""
        return self._sock

    @sock.setter
    def sock(self, connected: Any) -> None:
        self._sock = connected
        if connected is not None:
            self._sockets.add(connected)

    def request(self, *args: Any, **more: Any) -> None:
        try:
            super().request(*args, **more)
        except (BrokenPipeError, ConnectionResetError):
            if self.sock is None:  # there was no connection
                raise


class _SecureConnection(_Connection, http.client.HTTPSConnection):
    pass


class _Opener(urllib.request.HTTPHandler, urllib.request.HTTPSHandler):
    """Opens the connections of one exchange."""

    def __init__(self, sockets: _Sockets) -> None:
        super().__init__()
        self._sockets = sockets

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(partial(_Connection, sockets=self._sockets), req)

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        secure = partial(_SecureConnection, sockets=self._sockets)
        return self.do_open(secure, req, context=ssl.create_default_context())


def is_loopback(host: str) -> bool:
    """Whether the host is this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
