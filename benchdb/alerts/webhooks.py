"""Webhooks as Standard Webhooks defines them, to addresses that were checked before the connection."""

from __future__ import annotations

import json
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from ipaddress import IPv4Address, ip_address, ip_network
from threading import Event, Timer
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils import timezone
from standardwebhooks import Webhook

from .models import Alert, Notice, StoredCause

SECONDS = 10  # for the connection, and for each wait after it
WHOLE_SECONDS = 30.0  # after the connection, for the request and the answer
MOST_ANSWER = 1024  # bytes that are read of an answer
# Addresses with an IPv4 address at their end: NAT64 (RFC 6052), SIIT (RFC 2765) and IPv4-compatible ones (RFC 4291).
_TRANSLATED = [ip_network(network) for network in ("64:ff9b::/96", "::ffff:0:0:0/96", "::/96")]
_LOCAL = [ip_network(network) for network in ("64:ff9b:1::/48", "fec0::/10")]  # RFC 8215, RFC 3879


class Undelivered(Exception):
    """The webhook was not delivered; the text is the reason."""


class RefusedAddress(Undelivered):
    """The site sends no webhooks to this address."""


def check_address(address: str) -> SplitResult:
    """The parts of an address that the site allows by its form. Raises RefusedAddress."""
    if settings.WEBHOOKS == "off":
        raise RefusedAddress("This site sends no webhooks.")
    try:
        parts = urlsplit(address)
        port = parts.port
        (parts.hostname or "").encode("idna")  # as a lookup does
    except ValueError:
        raise RefusedAddress("This is no address such as https://example.org/hook.") from None
    schemes = ("https", "http") if settings.WEBHOOKS == "private" else ("https",)
    if parts.scheme not in schemes or not parts.hostname or port == 0:
        raise RefusedAddress(
            f"The address must begin with {' or '.join(f'{scheme}://' for scheme in schemes)} and a host."
        )
    if parts.username is not None or parts.fragment or not address.isascii() or not address.isprintable():
        raise RefusedAddress("The address must have no password, no # and no special characters.")
    return parts


def deliver(notice: Notice) -> None:
    """Send the webhook of a notice once. Raises Undelivered with the reason."""
    alert = notice.alert
    parts = check_address(alert.watch.webhook)
    body, now = json.dumps(payload(alert), ensure_ascii=False), timezone.now()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "BenchDB",
        "webhook-id": str(notice.pk),
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(alert.watch.secret).sign(str(notice.pk), now, body),
    }
    try:
        connection = _connect(parts)
        try:
            with _in_time(connection.sock):
                connection.request(
                    "POST", (parts.path or "/") + (f"?{parts.query}" if parts.query else ""), body.encode(), headers
                )
                answer = connection.getresponse()
                answer.read(MOST_ANSWER)
        finally:
            connection.close()
    except (OSError, HTTPException) as error:
        raise Undelivered(f"{type(error).__name__}: {error}") from error
    if not 200 <= answer.status < 300:
        raise Undelivered(f"The answer was {answer.status}.")


@contextmanager
def _in_time(connected: socket.socket) -> Iterator[None]:
    """End the connection after WHOLE_SECONDS: an answer that comes byte by byte would hold the worker for hours.

    Raises Undelivered then, although headers that end with the connection look whole.
    """
    late = Event()

    def end() -> None:
        late.set()
        socket.socket.shutdown(connected, socket.SHUT_RDWR)

    timer = Timer(WHOLE_SECONDS, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
    if late.is_set():
        raise Undelivered(f"The answer was not complete after {WHOLE_SECONDS:.0f} seconds.")


def payload(alert: Alert) -> dict[str, object]:
    """The body of the webhook."""
    causes: list[StoredCause] = alert.causes
    return {
        "type": "alert.confirmed",
        "timestamp": alert.changed_at.isoformat(),
        "data": {
            "alert": f"{settings.PUBLIC_ADDRESS}{alert.get_absolute_url()}",
            "watch": alert.watch.name,
            "machine": alert.watch.machine.name,
            "kind": alert.kind,
            "change": alert.change,
            "measured": alert.reason,
            "causes": [
                {"label": each["label"], "before": each["before"], "after": each["after"], "restored": each["restored"]}
                for each in causes
            ],
        },
    }


def _connect(parts: SplitResult) -> HTTPConnection:
    """A connection to the address that was checked: the name is resolved once. Raises OSError and RefusedAddress."""
    host = parts.hostname or ""
    tls = parts.scheme == "https"
    port = parts.port or (443 if tls else 80)
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(address[4][0]) for address in found]
    if settings.WEBHOOKS != "private" and (inside := [each for each in addresses if not _is_public(each)]):
        raise RefusedAddress(f"{host} is {inside[0]}, which is no public address.")
    connected = socket.create_connection((addresses[0], port), SECONDS)
    connection: HTTPConnection
    if tls:
        try:
            connected = ssl.create_default_context().wrap_socket(connected, server_hostname=host)
        except OSError:
            connected.close()
            raise
        connection = HTTPSConnection(host, port, timeout=SECONDS)
    else:
        connection = HTTPConnection(host, port, timeout=SECONDS)
    connection.sock = connected
    return connection


def _is_public(address: str) -> bool:
    """Whether the address is on the internet; for an IPv4 address inside an IPv6 one, both are."""
    found = ip_address(address.partition("%")[0])
    if any(found in network for network in _LOCAL):
        return False
    inner = getattr(found, "ipv4_mapped", None) or getattr(found, "sixtofour", None)
    if any(found in network for network in _TRANSLATED):
        found = inner = IPv4Address(int(found) & 0xFFFFFFFF)
    return found.is_global and not found.is_multicast and (inner is None or inner.is_global)
