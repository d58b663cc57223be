"""The listening socket of the web server."""

import socket

import pytest

from benchdb.embedded.errors import ServiceError
from benchdb.embedded.services.web import listen, url_of


def test_a_free_port_is_found() -> None:
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        assert url_of(listener) == f"http://127.0.0.1:{port}/"
        with socket.create_connection(("127.0.0.1", port)):
            pass


@pytest.mark.parametrize(("address", "host"), [("0.0.0.0", "127.0.0.1"), ("::1", "[::1]"), ("::", "[::1]")])
def test_the_printed_address_can_be_opened(address: str, host: str) -> None:
    with listen(address, 0) as listener:
        assert url_of(listener) == f"http://{host}:{listener.getsockname()[1]}/"


def test_a_taken_port_is_named() -> None:
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(ServiceError, match=rf"^Port {port} on 127.* cannot be used: Address already in use\."):
            listen("127.0.0.1", port)


@pytest.mark.parametrize("port", [-1, 65536])
def test_a_port_that_does_not_exist_is_named(port: int) -> None:
    with pytest.raises(ServiceError, match=f"There is no port {port}"):
        listen("127.0.0.1", port)


@pytest.mark.parametrize(
    ("address", "port", "reason"),
    [
        ("192.0.2.1", 8000, "Cannot assign requested address"),
        ("no.such.host.invalid", 8000, ""),
    ],
)
def test_an_impossible_address_is_named(address: str, port: int, reason: str) -> None:
    with pytest.raises(ServiceError, match=rf"Port {port} on {address} cannot be used: {reason}.*--port 0"):
        listen(address, port)


@pytest.mark.needs("an ordinary user")
def test_a_port_of_root_is_named() -> None:
    with pytest.raises(ServiceError, match=r"Port 80 needs root\. .*--port 8000"):
        listen("127.0.0.1", 80)
