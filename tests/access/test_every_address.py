"""Every address and every method for every kind of reader, compared with the statuses in `tables.py`."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, nullcontext
from functools import cache
from http.cookies import SimpleCookie
from typing import Any
from unittest.mock import patch
from urllib.parse import urlencode

import pytest
from django.http import HttpResponse
from django.template.backends.django import Template
from django.test import Client, override_settings
from django.urls import URLPattern, URLResolver, get_resolver, resolve

from benchdb.compare import live
from benchdb.compare.permalinks import pieces
from benchdb.ingest.models import Scope
from benchdb.runs import kept
from tests.access.readers import READERS, Store, make_store
from tests.access.tables import API, METHODS, PAGES, SENT, Row, rows
from tests.support.stores.shared import shared, undone

PAGE_ROWS, API_ROWS = rows(PAGES), rows(API)
API_READERS = (*READERS, *(scope.value for scope in Scope))


# Each test has every so-manieth row, because a whole table takes ten seconds.
PARTS = pytest.mark.parametrize("part", range(8))


@pytest.fixture(scope="module")
def store(django_db_setup: None, django_db_blocker: Any) -> Iterator[Store]:
    """Objects of every kind, for all tests of this file, which undo their changes."""
    # Sessions in cookies: all that is asked of them here is who the reader is.
    in_cookies = override_settings(SESSION_ENGINE="django.contrib.sessions.backends.signed_cookies")
    with in_cookies, shared(django_db_blocker, make_store) as stored:
        yield stored


@pytest.mark.django_db
@PARTS
def test_everybody_is_answered_as_the_table_of_pages_says(store: Store, part: int) -> None:
    _fail_with(_walk(store, PAGE_ROWS[part::8], READERS))


@pytest.mark.django_db
@PARTS
def test_everybody_is_answered_as_the_table_of_the_api_says(store: Store, part: int) -> None:
    _fail_with(_walk(store, API_ROWS[part::8], API_READERS))


def _fail_with(faults: Iterator[str]) -> None:
    if lines := list(faults):
        pytest.fail("\n".join(lines), pytrace=False)


def _walk(store: Store, table: Iterable[Row], readers: tuple[str, ...]) -> Iterator[str]:
    """An answer is rendered for one of those who may see it, in turn; templates decide about no status."""
    for number, row in enumerate(table):
        permitted = [reader for reader, status in zip(readers, row.expected, strict=True) if status == "200"] or readers
        seen_by = permitted[number % len(permitted)]
        answered = tuple(
            _status(_answer(store, row.method, row.path, reader, rendered=reader == seen_by)) for reader in readers
        )
        if answered != row.expected:
            yield f"{row.method} {row.path}: {' '.join(answered)}, expected are {' '.join(row.expected)}"


def _status(answer: HttpResponse) -> str:
    """The status, or `in` for a redirect to the sign-in page."""
    signs_in = answer.status_code == 302 and answer["Location"].startswith("/login/")
    return "in" if signs_in else str(answer.status_code)


# Pages of Django and django-ninja, some of which treat any method as GET.
FOREIGN = ("/nowhere/", "/admin/", "/api/v1/", "/api/v1/openapi.json")


@pytest.mark.django_db
def test_no_other_method_is_answered(store: Store) -> None:
    _fail_with(_other_methods(store))


def _other_methods(store: Store) -> Iterator[str]:
    """The methods that no row names but that are not refused, even for an admin."""
    named: dict[str, set[str]] = defaultdict(set)
    paths = {}
    for row in (*PAGE_ROWS, *API_ROWS):
        path = row.path.partition("?")[0]
        if path not in FOREIGN and not path.startswith("/admin/"):
            route = resolve(path.format(**store.ids)).route
            named[route].add(row.method)
            paths[route] = path
    for route, path in paths.items():
        for method in sorted(METHODS - named[route]):
            if (status := _answer(store, method, path, "admin", rendered=False).status_code) != 405:
                yield f"{method} {path}: {status}, and no row names this method"


def _answer(store: Store, method: str, path: str, reader: str, *, rendered: bool = True) -> HttpResponse:
    """The answer for `reader`, after which all changes are rolled back."""
    client, of_api = _client(), path.startswith("/api/v1/")
    client.cookies = SimpleCookie()
    headers = {}
    if of_api and reader in store.secrets:
        headers["Authorization"] = f"Bearer {store.secrets[reader]}"
    elif reader in store.cookies:
        client.cookies = store.cookies[reader].copy()
    sent = _filled(SENT.get(f"{method} {path}", {}), store)
    body = json.dumps(sent) if of_api else urlencode(sent)
    media = "application/json" if of_api else "application/x-www-form-urlencoded"
    with undone() if method != "GET" else nullcontext(), nullcontext() if rendered else _unrendered():
        return client.generic(method, path.format(**store.ids), "" if method == "GET" else body, media, headers=headers)


@cache
def _client() -> Client:
    """The same one for everybody, because each has to load the middleware."""
    return Client()


def _unrendered() -> AbstractContextManager[Any]:
    """Every template is empty while the block runs, and nothing is kept."""
    stack = ExitStack()
    for owner, name, answer in (
        (Template, "render", ""),
        (kept, "keep", None),
        (live, "render_pieces", {}),
        (pieces, "render_pieces", {}),
    ):
        stack.enter_context(patch.object(owner, name, lambda *_, answer=answer: answer))
    return stack


def _filled(sent: dict[str, Any], store: Store) -> dict[str, Any]:
    return {name: value.format(**store.ids) if isinstance(value, str) else value for name, value in sent.items()}


def _routes(patterns: Iterable[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = before + str(pattern.pattern).removeprefix("^")
        if isinstance(pattern, URLPattern):
            yield route
        else:
            yield from _routes(pattern.url_patterns, route)


class AnyIds(dict[str, str]):
    """A valid value for every name in the tables."""

    def __missing__(self, name: str) -> str:
        return {"machine": "1", "private_machine": "1", "token": "1", "key": "1"}.get(
            name, "01900000-0000-7000-8000-000000000000"
        )


def test_every_address_has_a_row() -> None:
    paths = {row.path.partition("?")[0].format_map(AnyIds()) for row in (*PAGE_ROWS, *API_ROWS)} - {"/nowhere/"}
    missing = set(_routes(get_resolver("benchdb.urls").url_patterns)) - {resolve(path).route for path in paths}
    assert not missing, "put these into tests/access/tables.py"
