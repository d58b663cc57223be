"""Caches of permalinks: revalidated each time, unless settings allow shared caches to answer for a while."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django.fixtures import Settings

from benchdb.compare.models import Permalink
from benchdb.compare.permalinks.services import revoke, share
from tests.support.comparing.comparisons import compared_runs, ids

PATHS = ("/c/{}/", "/c/{}/embed", "/c/{}.json", "/c/{}.csv")
SHARED = "public, max-age=0, s-maxage=60"


@pytest.fixture
def link(owner: User) -> Permalink:
    return share(owner, "table", ids(compared_runs(owner)))[0]


@pytest.fixture
def cdn(settings: Settings) -> None:
    settings.CDN_SECONDS = 60


@pytest.mark.parametrize("path", PATHS)
def test_a_cache_asks_each_time(client: Client, link: Permalink, path: str) -> None:
    answer = client.get(path.format(link.pk), headers={"Accept-Encoding": "gzip"})
    again = client.get(path.format(link.pk), headers={"If-None-Match": answer["ETag"], "Accept-Encoding": "gzip"})

    assert (answer.status_code, again.status_code) == (200, 304)
    assert again["ETag"].removeprefix("W/") == answer["ETag"].removeprefix("W/")
    assert answer["Cache-Control"] == again["Cache-Control"] == "no-cache"
    assert again.content == b""


@pytest.mark.parametrize("path", PATHS)
def test_a_shared_cache_may_answer_for_a_while(client: Client, cdn: None, link: Permalink, path: str) -> None:
    answers = [
        client.get(path.format(link.pk), headers={"Accept-Encoding": "gzip"}) for _ in range(2)
    ]  # the second is a kept answer
    again = client.get(path.format(link.pk), headers={"If-None-Match": answers[0]["ETag"]})

    assert [answer["Cache-Control"] for answer in (*answers, again)] == [SHARED] * 3
    assert not any(answer.cookies for answer in (*answers, again))


def test_pages_of_who_is_signed_in_are_no_cache_s_to_keep(ada: Client, cdn: None, link: Permalink) -> None:
    answer = ada.get(f"/c/{link.pk}/")

    assert answer["Cache-Control"] == "no-cache"
    assert "Cookie" in answer["Vary"]
    assert "Cookie" in Client().get(f"/c/{link.pk}/")["Vary"]


def test_where_only_accounts_read_nothing_is_for_shared_caches(
    ada: Client, cdn: None, link: Permalink, settings: Settings
) -> None:
    settings.READERS = "accounts"

    assert {ada.get(path.format(link.pk))["Cache-Control"] for path in PATHS} == {"no-cache"}


@pytest.mark.parametrize("path", PATHS)
def test_what_was_revoked_is_asked_for_again(
    client: Client, cdn: None, link: Permalink, owner: User, path: str
) -> None:
    revoke(owner, link.pk)

    answer = client.get(path.format(link.pk))

    assert (answer.status_code, answer["Cache-Control"]) == (410, "no-cache")


def test_an_answer_that_nothing_has_changed_takes_one_query(
    client: Client, link: Permalink, django_assert_num_queries: Any
) -> None:
    tag = client.get(f"/c/{link.pk}/")["ETag"]

    with django_assert_num_queries(1):
        assert client.get(f"/c/{link.pk}/", headers={"If-None-Match": tag}).status_code == 304


def test_live_pages_are_for_no_shared_cache(client: Client, cdn: None, owner: User) -> None:
    query = ids(compared_runs(owner))

    assert "public" not in client.get(f"/compare/?{query}").headers.get("Cache-Control", "")
    assert "public" not in client.get(f"/compare/table.csv?{query}").headers.get("Cache-Control", "")
