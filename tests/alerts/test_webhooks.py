"""The addresses of webhooks: their form, and where their names lead."""

import socket
from threading import Thread
from typing import Any

import pytest
from django.contrib.auth.models import User

from benchdb.alerts import webhooks
from benchdb.alerts.models import Channel, Notice
from benchdb.alerts.webhooks import RefusedAddress, Undelivered, check_address, deliver
from tests.alerts.receiver import receiving
from tests.alerts.watched import suspected

INSIDE = ["127.0.0.1", "10.0.0.7", "192.168.1.1", "169.254.169.254", "100.64.0.1", "::1", "fe80::1", "fd00::1"]
INSIDE += [
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "::ffff:0:a00:7",
    "::7f00:1",
    "fec0::1",
    "::ffff:127.0.0.1",
    "2002:7f00:1::",
    "0.0.0.0",
    "224.0.0.1",
    "ff02::1",
]


def notice_for(owner: User, address: str) -> Notice:
    alert = suspected(owner)
    alert.watch.webhook = address
    alert.watch.save()
    return Notice.objects.create(alert=alert, channel=Channel.WEBHOOK)


@pytest.mark.parametrize("address", INSIDE)
@pytest.mark.django_db
def test_no_address_inside_is_reached_whatever_its_name_is(
    owner: User, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    resolved = [(family, socket.SOCK_STREAM, 6, "", (address, 443))]
    notice = notice_for(owner, "https://hook.example.org/")
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: resolved)
    monkeypatch.setattr(socket, "create_connection", lambda *_: pytest.fail("connected"))
    with pytest.raises(RefusedAddress, match="no public address"):
        deliver(notice)


@pytest.mark.django_db
def test_the_connection_goes_to_the_address_that_was_checked(
    owner: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.WEBHOOKS = "private"
    asked: list[str] = []
    with receiving() as receiver:
        port = int(receiver.url.rpartition(":")[2].partition("/")[0])
        notice = notice_for(owner, f"http://hook.example.org:{port}/x")

        def resolve(host: str, port: int, **_: object) -> list[Any]:
            asked.append(host)
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

        original = socket.getaddrinfo
        monkeypatch.setattr(
            socket,
            "getaddrinfo",
            lambda host, port, *a, **k: original(host, port, *a, **k) if host == "127.0.0.1" else resolve(host, port),
        )
        deliver(notice)
        [(headers, _)] = receiver.received
    assert headers["host"] == f"hook.example.org:{port}"
    assert asked == ["hook.example.org"], "resolved once"


@pytest.mark.parametrize(
    ("address", "fault"),
    [
        ("http://example.org/", "must begin with https://"),
        ("ftp://example.org/", "must begin with https://"),
        ("https://", "must begin with"),
        ("https://user:secret@example.org/", "no password"),
        ("https://example.org/#x", "no #"),
        ("https://example.org/\u00e9", "no special characters"),
        ("https://example.org/a\r\nX: y", "no special characters"),
        ("https://x .example/", "no special characters"),
        ("https://example.org:99999/", "no address"),
        ("https://[::1/", "no address"),
        ("https://a..example.org/", "no address"),
        (f"https://{'a' * 64}.example.org/", "no address"),
    ],
)
def test_a_faulty_address_is_refused_with_the_reason(settings: Any, address: str, fault: str) -> None:
    settings.WEBHOOKS = "public"
    with pytest.raises(RefusedAddress, match=fault):
        check_address(address)


def test_a_site_can_send_none(settings: Any) -> None:
    settings.WEBHOOKS = "off"
    with pytest.raises(RefusedAddress, match="sends no webhooks"):
        check_address("https://example.org/")


@pytest.mark.django_db
def test_what_answers_without_http_is_a_failure(owner: User, settings: Any) -> None:
    settings.WEBHOOKS = "private"
    with socket.create_server(("127.0.0.1", 0)) as listening:
        notice = notice_for(owner, f"http://127.0.0.1:{listening.getsockname()[1]}/")
        original = socket.create_connection

        def answer(*args: Any) -> socket.socket:
            made = original(*args)
            other, _ = listening.accept()
            other.sendall(b"220 mail.example.org ESMTP\r\n")
            other.close()
            return made

        socket.create_connection = answer
        try:
            with pytest.raises(Undelivered):
                deliver(notice)
        finally:
            socket.create_connection = original


@pytest.mark.django_db
@pytest.mark.parametrize("begun", [b"", b"HTTP/1.1 200 OK\r\nA: b\r\n"])
def test_an_answer_that_does_not_come_in_time_is_a_failure(
    owner: User, settings: Any, monkeypatch: pytest.MonkeyPatch, begun: bytes
) -> None:
    settings.WEBHOOKS = "private"
    monkeypatch.setattr(webhooks, "WHOLE_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        notice = notice_for(owner, f"http://127.0.0.1:{listening.getsockname()[1]}/")

        def only_listen() -> None:
            taken, _ = listening.accept()
            with taken:
                taken.sendall(begun)
                while taken.recv(1000):
                    pass

        receiver = Thread(target=only_listen)
        receiver.start()
        with pytest.raises(Undelivered) as failure:
            deliver(notice)
        receiver.join()
    assert "timed out" not in str(failure.value), "the limit of a single wait"


@pytest.mark.django_db
def test_tls_is_verified(owner: User, settings: Any) -> None:
    settings.WEBHOOKS = "private"
    with receiving() as receiver:  # speaks no TLS
        notice = notice_for(owner, receiver.url.replace("http://", "https://"))
        with pytest.raises(Undelivered, match="SSL"):
            deliver(notice)
    assert receiver.received == []
