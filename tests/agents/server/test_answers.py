"""The meaning of answers: stored, refused, later, or not from BenchDB."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta, timezone
from email.message import Message
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.server.answers import LONGEST_WAIT, Delay, NotNow, ServerAnswer, judge, retry_after
from benchagent.server.exchange import Reply

NAMES = {"run_id": "0190"}
LOGIN = b"<!doctype html><title>Welcome</title>"


def reply(status: int, body: bytes = b"", **headers: str) -> Reply:
    found = Message()
    for name, value in headers.items():
        found[name.replace("_", "-")] = value
    return Reply(status, found, body)


@pytest.mark.parametrize("status", [200, 201])
@pytest.mark.parametrize("body", [LOGIN, b"null", b"[]", b'{"run_id": "0191"}', b"[" * 100_000])
def test_a_page_in_between_does_not_store_anything(status: int, body: bytes) -> None:
    """If a login or proxy page counted as an answer, the document would be lost."""
    with pytest.raises(NotNow, match="not as BenchDB does") as caught:
        judge(reply(status, body), NAMES)
    assert not caught.value.only_this


@pytest.mark.parametrize("status", [400, 409, 410, 413, 415, 422])
@pytest.mark.parametrize("body", [b"<h1>Entity\n\n too   large</h1>", b"", b'{"error": "no"}', b'{"error": {}}'])
def test_a_proxys_refusal_is_not_the_servers(status: int, body: bytes) -> None:
    with pytest.raises(NotNow, match=f"answered {status}, but not as BenchDB does: .*proxy") as caught:
        judge(reply(status, body), NAMES)
    assert caught.value.only_this


def test_what_was_said_instead_is_quoted_in_one_line() -> None:
    with pytest.raises(NotNow, match=r"'<h1>Entity too large\?\?\[2J</h1>'"):
        judge(reply(413, b"<h1>Entity\n\n too   large?\x1b[2J</h1>"), NAMES)


def test_a_message_cannot_write_on_the_terminal() -> None:
    said = '{"error": {"message": "down\\n\\u001b[2J' + "\u202e" + "x" * 5000 + '"}}'
    later = judge(reply(503, said.encode()), NAMES)
    assert isinstance(later, Delay)
    assert later.why.startswith("answered 503: down ?[2J?xxx")
    assert len(later.why) < 1100


@given(st.integers(100, 999), st.binary(max_size=40))
def test_every_answer_has_a_meaning(status: int, body: bytes) -> None:
    with suppress(NotNow):
        assert isinstance(judge(reply(status, body), NAMES), (ServerAnswer, Delay))


NOW = datetime(2026, 11, 20, 12, 0, 0, tzinfo=timezone.utc)


def date(seconds: int) -> str:
    return format_datetime(NOW + timedelta(seconds=seconds), usegmt=True)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, 0),
        ("7", 7),
        (" 7 ", 7),
        ("0", 0),
        ("99999", LONGEST_WAIT),
        ("9" * 5000, LONGEST_WAIT),
        (date(30), 30),
        (date(10**6), LONGEST_WAIT),
        (date(-30), 0),
        (date(30).replace("GMT", "+0100"), 0),
        *(
            (malformed, 0)
            for malformed in ("", "soon", "²", "-5", "1.5", "nan", "1e3", "Fri, 99 Nov 2026 12:00:00 GMT")
        ),
    ],
    ids=str,
)
def test_retry_after(value: str | None, seconds: float) -> None:
    assert retry_after(value, date(0)) == seconds


def test_a_date_is_compared_with_the_servers_own_clock() -> None:
    """This machine's clock may be years off."""
    assert retry_after("Fri, 02 Jan 1970 00:00:30 GMT", "Fri, 02 Jan 1970 00:00:00 GMT") == 30
    soon = format_datetime(datetime.now(timezone.utc) + timedelta(seconds=60), usegmt=True)
    assert 50 < retry_after(soon, None) <= 60
    assert 50 < retry_after(soon, "rubbish") <= 60


@given(st.text(max_size=60), st.none() | st.text(max_size=60))
def test_no_header_breaks_it(value: str, now: str | None) -> None:
    assert 0 <= retry_after(value, now) <= LONGEST_WAIT


@given(st.from_regex(r"\AFri, [0-9]{1,4} Nov [0-9]{1,6} [0-9]{1,3}:[0-9]{1,3}:[0-9]{1,3} [+-][0-9]{1,20}\Z"))
def test_no_date_breaks_it(value: str) -> None:
    assert 0 <= retry_after(value, value) <= LONGEST_WAIT
    assert 0 <= retry_after(value, None) <= LONGEST_WAIT
