"""Requests of this server to others: the only module that opens connections for them.

An answer has a deadline as a whole, a greatest size and no redirects. A connection goes to the address that was
checked.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPResponse, IncompleteRead
from io import BufferedReader
from ipaddress import IPv4Address, ip_address, ip_network
from threading import Event, Timer, local
from time import monotonic

import requests
from requests import RequestException, Response, Session
from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError

__all__ = ["InnerAddress", "RequestException", "Response", "bounded", "post"]
SECONDS = 10.0  # for the whole answer, from the lookup of the name on
CONNECT_SECONDS = 5
MOST_BYTES = 1024 * 1024
# Addresses with an IPv4 address at their end: NAT64 (RFC 6052), SIIT (RFC 2765) and IPv4-compatible ones (RFC 4291).
_TRANSLATED = [ip_network(network) for network in ("64:ff9b::/96", "::ffff:0:0:0/96", "::/96")]
# All of IPv4, and what of IPv6 is given to networks of the internet (RFC 4291). `is_global` knows most exceptions.
# Others are RFC 9637, and of IPv4 what protocols use (RFC 6890) and relays of 6to4.
_INTERNET = [ip_network(network) for network in ("0.0.0.0/0", "2000::/3")]
_LOCAL = [ip_network(network) for network in ("3fff::/20", "192.0.0.0/24", "192.88.99.0/24")]
_ISATAP = (0x00005EFE, 0x02005EFE)  # before the last 32 bits of an address of RFC 5214, which are one of IPv4
_thread = local()


_lookups = ThreadPoolExecutor(8, "lookup")  # one that hangs keeps its thread until the resolver gives up


def _begin_lookups() -> None:
    """Begin anew in a fork, which has none of its parent's threads."""
    global _lookups
    _lookups = ThreadPoolExecutor(8, "lookup")


os.register_at_fork(after_in_child=_begin_lookups)


class InnerAddress(Exception):
    """The host has an address that is not public."""


@dataclass
class _Exchange:
    """A request and its answer. `late` is set if the deadline ended the connection."""

    public_only: bool
    seconds: float
    late: Event = field(default_factory=Event)
    timer: Timer | None = None
    connected: socket.socket | None = None
    begun: float = field(default_factory=monotonic)

    def _left(self) -> float:
        return max(0.001, self.begun + self.seconds - monotonic())

    def connect(self, host: str, port: int) -> socket.socket:
        """A connection to the address that was checked: the name is resolved once. Raises OSError and InnerAddress."""
        looked_up = _lookups.submit(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        try:
            addresses = [str(address[4][0]) for address in looked_up.result(self._left())]
        finally:
            looked_up.cancel()  # if it waits for a thread
        if self.public_only and (inside := [each for each in addresses if not _is_public(each)]):
            raise InnerAddress(f"{host} is {inside[0]}, which is no public address.")
        connection = socket.create_connection((addresses[0], port), min(CONNECT_SECONDS, self._left()))
        connection.settimeout(self.seconds + 1)
        self.connected = connection.dup()  # of the same connection, also when TLS has taken over the socket
        self.timer = Timer(self._left(), self._end)
        self.timer.daemon = True
        self.timer.start()
        return connection

    def _end(self) -> None:
        self.late.set()
        if self.connected is not None:
            self.connected.shutdown(socket.SHUT_RDWR)

    def check(self) -> None:
        """Raise Timeout if the deadline ended the connection: headers that end with it look whole."""
        if self.late.is_set():
            raise requests.Timeout(f"the answer was not complete after {self.seconds:g} seconds")

    def close(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
        if self.connected is not None:
            self.connected.close()


class _Lines(BufferedReader):
    """What a connection receives. Raises IncompleteRead for a head that ends early, which http.client accepts."""

    def readline(self, size: int | None = -1, /) -> bytes:
        line = super().readline(size)
        if not line.endswith(b"\n"):
            raise IncompleteRead(line)
        return line


class _WholeResponse(HTTPResponse):
    def begin(self) -> None:
        self.fp = _Lines(self.fp.detach())
        super().begin()


class _CheckedConnection(HTTPConnection):
    response_class = _WholeResponse

    def _new_conn(self) -> socket.socket:
        exchange: _Exchange = _thread.exchange
        return exchange.connect(self._dns_host, self.port or self.default_port)


class _TlsConnection(HTTPSConnection):
    response_class = _WholeResponse
    _new_conn = _CheckedConnection._new_conn


class _Pool(HTTPConnectionPool):
    ConnectionCls = _CheckedConnection


class _TlsPool(HTTPSConnectionPool):
    ConnectionCls = _TlsConnection


class BoundedAdapter(HTTPAdapter):
    """What sends the requests of a session. Raises InnerAddress, and RequestException for every other failure."""

    def __init__(self, *, public_only: bool, seconds: float = SECONDS) -> None:
        super().__init__()
        self.poolmanager.pool_classes_by_scheme = {"http": _Pool, "https": _TlsPool}
        self._public_only, self._seconds = public_only, seconds

    def send(self, request: requests.PreparedRequest, *_: object, **options: object) -> Response:
        """The whole answer."""
        request.headers["Connection"] = "close"
        exchange = _thread.exchange = _Exchange(self._public_only, self._seconds)
        verify = options.get("verify", True)
        timeout = CONNECT_SECONDS, self._seconds + 1  # of a wait; the timer of the exchange ends it first
        try:
            response = super().send(request, stream=True, timeout=timeout, verify=verify)  # type: ignore[arg-type]
            content = _bounded(response)
        except (HTTPError, requests.ConnectionError) as error:
            exchange.check()
            raise requests.ConnectionError(f"{type(error).__name__}: {error}") from None
        finally:
            exchange.close()
        exchange.check()
        if not (length := response.headers.get("Content-Length", "0")).isdecimal():
            raise requests.ConnectionError(f"the length of the answer is {length!r:.40}")
        if response.is_redirect:
            raise requests.TooManyRedirects(f"the answer was {response.status_code}, a redirect")
        response._content, response._content_consumed = content, True
        return response


def bounded(session: Session, *, public_only: bool, seconds: float = SECONDS) -> None:
    """Let a session send its requests within the limits of this module, and to no proxy of the environment."""
    session.trust_env = False
    session.verify = os.environ.get("REQUESTS_CA_BUNDLE") or os.environ.get("CURL_CA_BUNDLE") or True
    for scheme in ("https://", "http://"):
        session.mount(scheme, BoundedAdapter(public_only=public_only, seconds=seconds))


def post(address: str, body: bytes, headers: Mapping[str, str], *, public_only: bool, seconds: float) -> int:
    """Post a body; the status of the answer. Raises InnerAddress and RequestException."""
    with Session() as session:
        bounded(session, public_only=public_only, seconds=seconds)
        return session.post(address, data=body, headers=dict(headers)).status_code


def _is_public(address: str) -> bool:
    """Whether the address is on the internet; for an IPv6 one, so are the IPv4 addresses inside it."""
    found = ip_address(address.partition("%")[0])
    if any(found in network for network in _TRANSLATED):
        found = IPv4Address(int(found) & 0xFFFFFFFF)
    found_and_inner = [found, getattr(found, "sixtofour", None) or found]
    if found.version == 6 and int(found) >> 32 & 0xFFFFFFFF in _ISATAP:
        found_and_inner.append(IPv4Address(int(found) & 0xFFFFFFFF))
    return all(
        any(each in network for network in _INTERNET)
        and not any(each in network for network in _LOCAL)
        and each.is_global
        and not each.is_multicast
        for each in found_and_inner
    )


def _bounded(response: Response) -> bytes:
    """The body. Raises HTTPError and RequestException."""
    content = b""
    while piece := response.raw.read(MOST_BYTES + 1 - len(content), decode_content=True):
        content += piece
        if len(content) > MOST_BYTES:
            response.close()
            raise requests.ConnectionError(f"the answer is longer than {MOST_BYTES >> 20} MiB")
    return content
