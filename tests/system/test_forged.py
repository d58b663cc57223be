"""Forged headers that a proxy on the same machine passes on have no effect."""

import http.client
import json
import re
from urllib.parse import urlsplit

import pytest

from tests.support.documents import document, encoded
from tests.system.server import Server


def ask(server: Server, path: str, **headers: str) -> tuple[int, str]:
    """Send exactly these headers; urllib would write `Script_name`."""
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=30)
    connection.putrequest("GET", path)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    status, body = answer.status, answer.read().decode()
    connection.close()
    return status, body


@pytest.mark.parametrize("prefix", ["/api/v1", "/x", "//evil.example"])
def test_nobody_says_under_which_path_the_site_is(server: Server, prefix: str) -> None:
    """With a forged prefix, a page could look like the API, which accepts any token at first."""
    for address in ("/runs/", "/healthz"):
        assert ask(server, f"{prefix}{address}", SCRIPT_NAME=prefix, Authorization="Bearer nothing")[0] == 404
    assert ask(server, "/runs/", PATH_INFO="/healthz")[0] == 200


def test_an_address_of_any_letters_is_read_once(server: Server) -> None:
    for address in ("/%E4%B8%AD/", "/c/%C5%82/", "/%C3%A9", "/%ff", "/api/v1/%C5%82"):
        assert ask(server, address)[0] == 404


def test_nobody_says_by_which_scheme_or_name_the_site_is_reached(server: Server) -> None:
    forged = {"X-Forwarded-Proto": "https", "X-Forwarded-Ssl": "on", "X-Forwarded-Host": "evil.example"}
    status, body = ask(server, "/agent/", **forged)
    named = set(re.findall(r"(\w+://[^/\s<]+)/agent/benchagent\.pyz", body))
    assert (status, named) == (200, {server.url.rstrip("/")})
    assert "evil.example" not in body
    assert ask(server, "/agent/", **{"X-Forwarded-Proto": "https", "X-Forwarded-Ssl": "off"})[0] == 200


LARGE = b" " * (20 << 20)  # far more than a socket's buffers hold


def test_a_token_that_is_not_valid(server: Server) -> None:
    status, body = server.request(f"api/v1/runs/{document()['run_id']}", "PUT", "nonsense", LARGE)

    assert (status, json.loads(body)["error"]["code"]) == (401, "unauthorized")


def test_a_body_that_is_too_large(server: Server, secret: str) -> None:
    status, body = server.request(f"api/v1/runs/{document()['run_id']}", "PUT", secret, b" " * ((64 << 20) + 1))

    assert (status, json.loads(body)["error"]["code"]) == (413, "too_large")


def test_an_address_that_is_not_there(server: Server, secret: str) -> None:
    status, body = server.request("api/v1/nothing", "PUT", secret, LARGE)

    assert (status, json.loads(body)["error"]["code"]) == (404, "not_found")


def test_a_body_in_chunks(server: Server, secret: str) -> None:
    sent = document()
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=30)
    headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}

    connection.request("PUT", f"/api/v1/runs/{sent['run_id']}", iter([encoded(sent)]), headers, encode_chunked=True)
    answer = connection.getresponse()

    assert (answer.status, json.loads(answer.read())["error"]["code"]) == (411, "length_required")
    connection.close()


@pytest.mark.parametrize("path", ["", "runs/", "api/v1/openapi.json", "healthz"])
def test_the_server_still_answers(server: Server, path: str) -> None:
    assert server.request(path)[0] == 200
