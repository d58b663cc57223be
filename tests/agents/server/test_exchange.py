"""Answers that never come, never end or end too early: the agent waits a bounded time and reads a bounded amount."""

import gzip
import json
import os
import socket
import ssl
import subprocess
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from benchagent.documents.ids import uuid7
from benchagent.server.client import Client, NotNow, Patience, ServerAnswer
from tests.agents.support.server import Early, Endless, Say, Script, Server, Silence, serving
from tests.support.waiting import wait_until

ONCE = Patience(attempts=1, timeout=0.2, whole=0.4)
LARGE = os.urandom(8 * 2**20)  # does not fit into the buffers of a connection, even compressed
STORED = Say(201, {"url": "/runs/x", "state": "received"})
HEAD = b"HTTP/1.1 200 OK\r\n"


def send(server: Server, document: bytes = b"{}", patience: Patience = ONCE) -> ServerAnswer:
    return Client(server.url, "secret", patience).send(uuid7(), document, lambda why, seconds: None)


def test_a_server_that_never_answers_is_given_up() -> None:
    with serving(Silence()) as server, pytest.raises(NotNow, match=r"did not answer within 0\.2 s"):
        send(server)


def test_and_asked_again() -> None:
    with serving(Silence(), STORED) as server:
        assert send(server, patience=Patience(attempts=2, first=0.001, timeout=0.2)).stored


@pytest.mark.parametrize(
    "endless",
    [
        Endless(b"", b"H", 0.05),  # an endless status line, each byte in time
        Endless(HEAD, b"X-More: 1\r\n", 0.05),
        Endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n", 0.05),
        Endless(HEAD + b"\r\n", b" ", 0.05),
        Endless(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n", 0.05),
    ],
    ids=["status", "headers", "continue", "body", "chunks"],
)
def test_an_answer_that_drips_is_given_up(endless: Endless) -> None:
    # On a busy machine, two bytes may be seconds apart: only the limit for the whole answer may end the wait.
    patience = Patience(attempts=1, timeout=60, whole=0.4)
    with serving(endless) as server:
        threads = threading.active_count()
        with pytest.raises(NotNow, match=r"did not end its answer within 0\.4 s"):
            send(server, patience=patience)
        wait_until(lambda: threading.active_count() <= threads)  # neither a thread here nor one of the server is left


@pytest.mark.parametrize(
    ("endless", "why"),
    [
        (Endless(HEAD + b"\r\n", b"x" * 65536), "sent more than 1048576 bytes"),
        (
            Endless(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"10000\r\n" + b"x" * 65536 + b"\r\n"),
            "sent more than",
        ),
        (Endless(HEAD, b"X-More: " + b"x" * 60000 + b"\r\n"), "more than 100 headers"),
        (Endless(HEAD, b"X" * 65536), "when reading header line"),
    ],
    ids=["body", "chunks", "headers", "header"],
)
def test_an_answer_without_end_is_not_read_to_its_end(endless: Endless, why: str) -> None:
    with serving(endless) as server, pytest.raises(NotNow, match=why):
        send(server, patience=Patience(attempts=1))


@pytest.mark.parametrize(
    ("accident", "why"),
    [
        (Early(5), "broke off"),
        (Early(0, b"HTTP/1.1 201 Created\r\n"), "answered 201 and nothing else"),
        (Early(0, b"\0\0\0\0"), "broke off"),
        (Early(0, HEAD + b"Content-Length: 9\r\nContent-Encoding: gzip\r\n\r\nnot gzip!"), "broke off"),
        (Early(0, HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\nab"), "broke off"),
        (Early(0, HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n"), "broke off"),
        (Early(0, b"HTTP/1.1 503 Busy\r\nContent-Length: 100\r\n\r\n{"), "broke off"),
    ],
)
def test_a_cut_connection_is_no_answer(accident: Script, why: str) -> None:
    with serving(accident) as server, pytest.raises(NotNow, match=why):
        send(server, patience=Patience(attempts=1))


def test_a_connection_cut_in_the_body_is_tried_again() -> None:
    with serving(Early(65536), Early(65536), STORED) as server:
        assert send(server, LARGE, Patience(attempts=3, first=0.001)).stored
    assert server.received[0].document == LARGE


def test_an_answer_before_the_whole_body_was_read_is_heard() -> None:
    """A proxy that refuses a large body answers and closes; sending the rest raises a broken pipe here."""
    listener = socket.create_server(("127.0.0.1", 0))

    def refuse() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.recv(4096)
            body = b'{"error": {"code": "too_large", "message": "Too large."}}'
            head = b"HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(body)
            connection.sendall(head + body)
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(2**20):  # proxies linger like this, so that the answer is not lost
                pass

    thread = threading.Thread(target=refuse)
    thread.start()
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    answer = Client(url, "secret", ONCE).send(uuid7(), LARGE, lambda why, seconds: None)
    thread.join()
    listener.close()
    assert (answer.status, answer.stored) == (413, False)


def test_an_answer_that_a_proxy_compressed_is_read() -> None:
    run_id = uuid7()
    body = gzip.compress(json.dumps({"run_id": run_id, "url": "/runs/x"}).encode())
    with serving(Say(201, body, {"Content-Encoding": "gzip"})) as server:
        answer = Client(server.url, "secret", ONCE).send(run_id, b"{}", lambda why, seconds: None)
    assert answer.body["url"] == "/runs/x"


def test_a_small_answer_does_not_inflate_to_a_large_one() -> None:
    bomb = gzip.compress(b" " * 2**26)
    with (
        serving(Say(201, bomb, {"Content-Encoding": "gzip"})) as server,
        pytest.raises(NotNow, match="as BenchDB does"),
    ):
        send(server, patience=Patience(attempts=1))


def certified(folder: Path) -> tuple[ssl.SSLContext, Path]:
    """A context of a server, and its certificate, which nobody has signed."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "1"]
    made += ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(made, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context, certificate


@pytest.mark.needs("openssl", package="openssl")
def test_an_encrypted_answer_that_drips_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    context, certificate = certified(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    listener, given_up = socket.create_server(("127.0.0.1", 0)), threading.Event()

    def drip() -> None:
        connection, _ = listener.accept()
        with suppress(OSError), context.wrap_socket(connection, server_side=True) as encrypted:
            encrypted.sendall(HEAD + b"\r\n")
            while not given_up.wait(0.05):
                encrypted.sendall(b" ")

    thread = threading.Thread(target=drip)
    thread.start()
    url = f"https://localhost:{listener.getsockname()[1]}"
    with pytest.raises(NotNow, match=r"did not end its answer within 2 s"):
        Client(url, "secret", Patience(attempts=1, timeout=60, whole=2)).send(uuid7(), b"{}", lambda why, seconds: None)
    wait_until(lambda: not any("_into" in each.name for each in threading.enumerate()))
    given_up.set()
    thread.join()
    listener.close()


@pytest.mark.needs("openssl", package="openssl")
def test_a_certificate_that_nobody_knows_stops_at_once(tmp_path: Path) -> None:
    context, _ = certified(tmp_path)
    listener = socket.create_server(("127.0.0.1", 0))

    def shake_hands() -> None:
        connection, _ = listener.accept()
        with connection, pytest.raises(ssl.SSLError):
            context.wrap_socket(connection, server_side=True)

    thread = threading.Thread(target=shake_hands)
    thread.start()
    url = f"https://localhost:{listener.getsockname()[1]}"
    with pytest.raises(NotNow, match="has a certificate that this machine does not trust: self"):
        Client(url, "secret", Patience(attempts=3)).send(uuid7(), b"{}", lambda why, seconds: None)
    thread.join()
    listener.close()
