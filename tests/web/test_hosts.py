"""A request for a foreign host name is refused, on a page that does not depend on the request."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.support.html import read


@pytest.mark.parametrize("port", ["99999", "9" * 5000])
@pytest.mark.parametrize("path", ["/", "/agent/"])
def test_a_port_that_none_can_be_is_400(client: Client, db: None, path: str, port: str) -> None:
    assert client.get(path, headers={"Host": f"testserver:{port}"}).status_code == 400


@pytest.mark.parametrize(
    "host", ["evil.example", "testserver@evil.example", "testserver/evil", "", "testserver\r\nX: y"]
)
@pytest.mark.parametrize("path", ["/", "/agent/", "/login/", "/nowhere/"])
def test_another_name_is_400_and_stands_nowhere_on_the_page(client: Client, db: None, host: str, path: str) -> None:
    page = read(client.get(path, headers={"Host": host}), 400)
    assert "cannot be understood" in page.text
    assert "evil" not in page.text


def test_another_name_is_400_for_programs(client: Client, db: None) -> None:
    answer = client.get("/api/v1/token", headers={"Host": "evil.example"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_request")
