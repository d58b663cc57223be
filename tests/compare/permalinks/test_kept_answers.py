"""Permalinks that are not rendered again for each reader show the same content as a new rendering."""

from __future__ import annotations

import gzip
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from benchdb.compare.models import Permalink
from benchdb.compare.permalinks import kept_answers as sent_pages
from benchdb.compare.permalinks import services as permalinks
from benchdb.runs.services import delete_run, withdraw
from tests.support.comparing.comparisons import compared_runs, ids

PACKED = {"Accept-Encoding": "gzip"}


@pytest.fixture
def link(owner: User) -> Permalink:
    return permalinks.share(owner, "table", ids(compared_runs(owner)))[0]


def read(client: Client, link: Permalink) -> str:
    """The page as a browser receives it."""
    answer = client.get(f"/c/{link.id}/", headers=PACKED)
    assert (answer.status_code, answer["Content-Encoding"]) == (200, "gzip")
    assert {"accept-encoding", "cookie"} <= {name.strip().lower() for name in answer["Vary"].split(",")}
    assert answer["Cache-Control"] == "no-cache"
    return gzip.decompress(answer.content).decode()


def test_the_second_reader_gets_the_same_page_with_one_query(
    client: Client, link: Permalink, django_assert_num_queries: Any
) -> None:
    first = read(client, link)
    Permalink.objects.filter(pk=link.pk).update(content={})  # the content is not read again

    with django_assert_num_queries(1):
        second = read(Client(), link)

    assert second == first
    assert "csrfmiddlewaretoken" not in second


def test_a_cached_answer_costs_one_query(client: Client, link: Permalink, django_assert_num_queries: Any) -> None:
    read(client, link)
    tag = client.get(f"/c/{link.id}/", headers=PACKED)["ETag"]

    with django_assert_num_queries(2):
        page = read(Client(), link)
        again = client.get(f"/c/{link.id}/", headers={**PACKED, "If-None-Match": tag})

    assert page
    assert again.status_code == 304


def test_a_permalink_that_another_process_revokes_is_gone_at_once(client: Client, link: Permalink) -> None:
    read(client, link)
    read(client, link)
    Permalink.objects.update(revoked_at=timezone.now())  # this process gets no message

    assert client.get(f"/c/{link.id}/", headers=PACKED).status_code == 410


def test_it_is_gone_as_soon_as_it_is_revoked(client: Client, owner: User, link: Permalink) -> None:
    read(client, link)
    tag = client.get(f"/c/{link.id}/", headers=PACKED)["ETag"]
    permalinks.revoke(owner, link.id)

    assert client.get(f"/c/{link.id}/", headers=PACKED).status_code == 410
    assert client.get(f"/c/{link.id}/", headers={**PACKED, "If-None-Match": tag}).status_code == 410


def test_a_run_that_is_withdrawn_or_deleted_shows_at_once(client: Client, owner: User, link: Permalink) -> None:
    before = read(client, link)
    first, second, _ = (state.run for state in owner.runs.order_by("pk"))
    withdraw(first, "the disk was failing")
    withdrawn = read(client, link)
    delete_run(second)
    deleted = read(client, link)

    assert "the disk was failing" not in before
    assert "the disk was failing" in withdrawn
    assert "deleted since" not in withdrawn
    assert "1 run of this table was deleted since" in deleted


def test_who_is_signed_in_gets_a_page_of_their_own(client: Client, owner: User, link: Permalink) -> None:
    anonymous = read(client, link)
    client.force_login(owner)

    assert owner.username in read(client, link)
    assert read(Client(), link) == anonymous


def test_a_chosen_cell_and_another_name_of_the_site_are_other_pages(client: Client, link: Permalink) -> None:
    plain = read(client, link)
    chosen = client.get(f"/c/{link.id}/?cell=0-1-0", headers=PACKED)
    elsewhere = client.get(f"/c/{link.id}/", headers={**PACKED, "Host": "127.0.0.1"})

    assert gzip.decompress(chosen.content).decode() != plain
    assert "http://127.0.0.1/c/" in gzip.decompress(elsewhere.content).decode()
    assert "http://127.0.0.1/c/" not in plain


def test_what_is_large_is_not_compressed_in_vain(
    client: Client, link: Permalink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sent_pages, "MOST_CONTENT", 1000)
    first = read(client, link)
    Permalink.objects.filter(pk=link.pk).update(author="somebody else")

    assert read(Client(), link) != first  # rendered again
