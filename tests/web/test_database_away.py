"""Every address while the database is down: 503 with the time to retry, or a page without data; never 500."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from functools import cache

from django.conf import settings

from tests.access.tables import API, PAGES, SENT, rows
from tests.access.test_every_address import AnyIds
from tests.api.test_outages import DEAD_DATABASE

# Reads lines of readers, method, path, headers, cookie, body and media type; prints status, Retry-After, Refresh
# and body.
ASK = """
import json, sys, django
django.setup()
from django.conf import settings
from django.test import Client
client = Client(raise_request_exception=False)
for line in sys.stdin:
    settings.READERS, method, path, headers, cookie, body, media = json.loads(line)
    client.cookies.clear()
    if cookie:
        client.cookies["sessionid"] = cookie
    answer = client.generic(method, path, body, media, headers=headers)
    text = answer.content[:300].decode(errors="replace") if not answer.streaming else ""
    print(json.dumps([answer.status_code, answer.headers.get("Retry-After"), answer.headers.get("Refresh"), text]))
"""
Question = tuple[str, str, str, dict[str, str], str, str, str]
Answer = tuple[Question, int, str | None, str | None, str]


def questions(readers: str) -> list[Question]:
    """Requests to each address, anonymous and with a session or a token."""
    requests = []
    for table, of_api in ((PAGES, False), (API, True)):
        for row in rows(table):
            path = row.path.format_map(AnyIds())
            sent = SENT.get(f"{row.method} {row.path}", {})
            body = "" if row.method == "GET" else json.dumps(sent) if of_api else ""
            media = "application/json" if of_api else "application/x-www-form-urlencoded"
            token = {"Authorization": "Bearer bdb_secret"} if of_api else {}
            requests.append((readers, row.method, path, {}, "", body, media))
            requests.append((readers, row.method, path, token, "" if of_api else "a-session", body, media))
    return requests


@cache
def answers() -> list[Answer]:
    """The answers of a server without a database to all of them."""
    asked = [*questions("everybody"), *questions("accounts")]
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        input="\n".join(map(json.dumps, asked)),
        env={
            **os.environ,
            "DATABASE_URL": DEAD_DATABASE,
            "DJANGO_SETTINGS_MODULE": "tests.support.plain_static",
            "PYTHONPATH": ".:agents",
        },
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    given = map(json.loads, done.stdout.splitlines())
    return [(question, *answer) for question, answer in zip(asked, given, strict=True)]


def wrong(found: Iterable[Answer]) -> list[str]:
    return [
        f"{q[1]} {q[2]} ({q[0]} read; {'known' if q[3] or q[4] else 'a stranger'}): {status}" for q, status, *_ in found
    ]


def test_nothing_fails_for_another_reason() -> None:
    assert wrong(each for each in answers() if each[1] >= 500 and each[1] != 503) == []


def test_whoever_comes_is_told_when_to_come_again() -> None:
    down = [each for each in answers() if each[1] == 503]
    assert wrong(each for each in down if each[2] != "5") == []
    for (_, _, path, *_), *_, text in down:
        assert ('"code": "unavailable"' in text) == path.startswith("/api/")


def test_a_page_that_was_looked_at_loads_itself_again_and_a_form_does_not() -> None:
    down = [answer for answer in answers() if answer[1] == 503 and not answer[0][2].startswith("/api/")]
    assert {method for (_, method, *_), *_ in down} >= {"GET", "POST"}
    for (_, method, path, *_), _, _, refresh, text in down:
        assert refresh == ("5" if method == "GET" else None), (method, path)
        assert text


def test_most_addresses_need_the_database() -> None:
    """Ensure that the tests above have cases."""
    statuses = [status for _, status, *_ in answers()]
    assert statuses.count(503) > len(statuses) / 2
