"""`deploy/nginx/benchdb.conf` with a real nginx in front of the web server."""

import re
import resource
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml

from benchdb.embedded.config import PROJECT
from tests.browser.support.provider import free_port
from tests.operations.test_silent_database import serving
from tests.support.waiting import wait_until

pytestmark = [
    pytest.mark.needs("nginx", package="nginx-light"),
    pytest.mark.needs("openssl", package="openssl"),
]
SITE = PROJECT / "deploy" / "nginx" / "benchdb.conf"
CONNECTIONS = " ".join(re.findall("(?:worker_rlimit|events).*", SITE.with_name("contained").read_text()))
CLIENTS = 200
HANDSHAKES = 2_200  # more than nginx has places by default
SOON = 8  # seconds
LARGE = 64 << 20  # bytes, far more than the kernel's buffers hold
LONG = b"POST /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 100000\r\n\r\n"
BODY = b"POST /login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nusername="


def configuration(folder: Path, upstream: int, plain: int, secure: int, large: int) -> str:
    """The site for this machine: its ports, certificate and directories, and another upstream for large answers."""
    site = "".join(line for line in SITE.read_text().splitlines(True) if "[::]" not in line)
    changes = {
        "listen 80;": f"listen 127.0.0.1:{plain};",
        "listen 443 ": f"listen 127.0.0.1:{secure} ",
        "127.0.0.1:8000": f"127.0.0.1:{upstream}",
        "/etc/ssl/benchdb": str(folder),
        "/var/log/nginx": str(folder),
        "location = /metrics": f"location = /large {{ proxy_pass http://127.0.0.1:{large}; }} location = /metrics",
    }
    for old, new in changes.items():
        assert old in site
        site = site.replace(old, new)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    return (
        f"daemon off; user root; pid {folder}/pid; error_log stderr; {CONNECTIONS}\n"
        f"http {{ client_body_buffer_size 1m; {paths}\n"
        f"server {{ listen 127.0.0.1:{plain} default_server; return 404; }}\n"  # as in Debian's nginx
        f"{site}\n}}"
    )


@pytest.fixture(scope="module")
def ports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, int, int]]:
    """Ports without and with TLS of an nginx before a web server whose database never answers, and that of `/large`."""
    folder = tmp_path_factory.mktemp("nginx")
    folder.chmod(0o711)
    key, certificate = folder / "privkey.pem", folder / "fullchain.pem"
    subprocess.run(
        f"openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost "
        f"-keyout {key} -out {certificate}".split(),
        check=True,
        capture_output=True,
    )
    plain, secure, large = free_port(), free_port(), free_port()
    with socket.create_server(("127.0.0.1", 0)) as database, serving(database) as url:
        (folder / "nginx.conf").write_text(configuration(folder, urlsplit(url).port or 0, plain, secure, large))
        nginx = subprocess.Popen(["nginx", "-p", folder, "-e", "stderr", "-c", folder / "nginx.conf"])
        try:
            wait_until(lambda: answers(secure))
            yield plain, secure, large
        finally:
            nginx.terminate()
            nginx.wait()


@pytest.fixture
def port(ports: tuple[int, int, int]) -> int:
    return ports[1]


def answers(port: int) -> bool:
    with suppress(OSError):
        return ask(port, "/healthz").startswith("HTTP/1.1 200 ")
    return False


def connect(port: int, address: str = "127.0.0.1") -> ssl.SSLSocket:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context.wrap_socket(socket.create_connection(("127.0.0.1", port), 60, (address, 0)))


def ask(port: int, path: str) -> str:
    """The status line of an answer."""
    with connect(port) as connection, connection.makefile("rb") as answer:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        return answer.readline().decode().strip()


def test_pages_are_answered_while_two_hundred_clients_send_no_more(port: int) -> None:
    with ExitStack() as clients:
        for number in range(CLIENTS):
            clients.enter_context(connect(port, f"127.0.0.{2 + number % 3}")).sendall(BODY)
        assert ask(port, "/agent/benchagent.pyz") == "HTTP/1.1 200 OK"


def test_pages_are_answered_while_one_address_begins_thousands_of_handshakes(port: int) -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 2 * HANDSHAKES), hard))
    with ExitStack() as clients:
        for _ in range(HANDSHAKES):
            clients.enter_context(socket.create_connection(("127.0.0.1", port))).sendall(b"\x16\x03\x01")
        assert ask(port, "/agent/benchagent.pyz") == "HTTP/1.1 200 OK"


@pytest.mark.parametrize("sent", [b"G", b"GET / HTTP/1.1\r\nHost: bench.example.org\r\n\r\n"], ids=["header", "kept"])
def test_clients_without_tls_are_left_soon(ports: tuple[int, int, int], sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", ports[0]), SOON) as client, suppress(ConnectionResetError):
        client.sendall(sent)
        while client.recv(1000):
            pass


def test_what_a_client_does_not_read_stays_in_the_server(ports: tuple[int, int, int]) -> None:
    """All but 4 MB; else few clients fill the disk of the proxy."""
    with socket.create_server(("127.0.0.1", ports[2])) as listener, connect(ports[1]) as client:
        client.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        with listener.accept()[0] as server:
            server.settimeout(3)
            with pytest.raises(TimeoutError):
                server.sendall(b"HTTP/1.1 200 OK\r\n\r\n" + bytes(LARGE))


def test_requests_without_a_body_are_no_long_ones(port: int) -> None:
    with ExitStack() as clients:
        asking = [clients.enter_context(connect(port)) for _ in range(28)]
        for client in asking:
            client.sendall(b"GET /agent/benchagent.pyz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert {client.recv(12) for client in asking} == {b"HTTP/1.1 200"}


@pytest.mark.parametrize(
    ("begun", "most", "sent", "of_others"),
    [
        (LONG, 16, LONG + b"x" * 100_000, b"405"),
        (BODY, 100, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", b"200"),
    ],
    ids=["long bodies", "requests"],
)
def test_one_address_has_so_many_at_a_time(port: int, begun: bytes, most: int, sent: bytes, of_others: bytes) -> None:
    with ExitStack() as clients:
        for _ in range(most):
            clients.enter_context(connect(port)).sendall(begun)
        for address, status in (("127.0.0.1", b"503"), ("127.0.0.2", of_others)):
            other = clients.enter_context(connect(port, address))
            other.sendall(sent)
            answer = other.recv(1000)
            assert (answer[9:12], b"Retry-After: 5" in answer) == (status, status == b"503")
    assert answers(port)


def test_bodies_wait_on_a_disk_in_the_containers() -> None:
    made = subprocess.run(["sh", SITE.with_name("contained")], check=True, capture_output=True, text=True).stdout
    proxy = yaml.safe_load((PROJECT / "docker-compose.yml").read_text())["services"]["proxy"]
    volumes = [volume.split(":")[1] for volume in proxy["volumes"]]
    assert re.findall("(?:client_body|proxy)_temp_path (/.+)/.+;", made) == [volumes[-1]] * 2


def test_the_log_has_no_secrets(port: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    for address in ("/login/forgotten/MQ/secret/", "/watches/x/feed/secret.atom", "/sign-up/confirm/?token=secret"):
        ask(port, address)
    log, *_ = tmp_path_factory.getbasetemp().glob("nginx*/access.log")
    wait_until(lambda: "/sign-up/confirm/" in log.read_text())
    assert re.findall(r"/MQ/.*?\"|/feed/.*?\"|secret", log.read_text()) == ['/MQ/***"', '/feed/***"']


@pytest.mark.parametrize(
    ("path", "status"),
    [("/metrics", "404 Not Found"), (f"/healthz?{'x' * 20_000}", "200 OK")],
    ids=["metrics are not for the network", "a long address passes"],
)
def test_addresses(port: int, path: str, status: str) -> None:
    assert ask(port, path) == f"HTTP/1.1 {status}"
