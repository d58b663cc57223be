"""What reaches a page: its host, forms with many choices, and coded paths."""

import html
import re

import pytest
from django.test import Client

from benchdb.runs.listing.filter_panel import FacetOption
from benchdb.web.templatetags.coded import coded, whole_words
from benchdb.web.templatetags.fields import check_boxes
from tests.support.html import parse, read

HOSTILE = "\"><script>alert('&amp;')</script>"


def test_check_boxes_escape_names_and_values() -> None:
    page = parse(check_boxes([FacetOption(HOSTILE, HOSTILE, "12", chosen=True)], HOSTILE))

    [box] = [attributes for tag, attributes in page.elements if tag == "input"]
    assert (box["name"], box["value"]) == (HOSTILE, HOSTILE)
    assert "checked" in box
    assert {tag for tag, _ in page.elements} == {"label", "input", "span"}
    assert HOSTILE in page.text


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


def test_code_stands_between_backticks() -> None:
    assert coded("`state` is <why>") == "<code>state</code> is &lt;why&gt;"


def test_apostrophes_are_typographic_but_in_code() -> None:
    assert coded("the run's owner: `don't`") == "the run’s owner: <code>don&#x27;t</code>"
    assert coded("runs' owners") == "runs’ owners"


@pytest.mark.parametrize(
    "command", ["run --server http://a-b", "echo 'ab  c-d' | sha256sum --check", "-a\n\t-b", "", "<script>-x</script>"]
)
def test_a_command_line_is_the_same_text(command: str) -> None:
    shown = whole_words(command)
    assert html.unescape(re.sub("</?span>", "", shown)) == command
    assert "<script" not in shown


def test_words_that_could_break_at_a_hyphen_are_whole() -> None:
    assert whole_words("run --server host") == "run <span>--server</span> host"
