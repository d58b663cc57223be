"""The answers over a real connection to requests that are refused before they are complete."""

from __future__ import annotations

import http.client
import json
from urllib.parse import urlsplit

import pytest

from tests.support.documents import document, encoded
from tests.system.server import Server

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
