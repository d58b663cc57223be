"""Permalinks that are not rendered again for each reader show the same content as a new rendering."""

import gzip
import logging
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.staticfiles.storage import staticfiles_storage
from django.db import DatabaseError
from django.test import Client
from django.utils import timezone

from benchdb.compare.models import KeptAnswer, Permalink
from benchdb.compare.permalinks import anonymous_page, kept_answers
from benchdb.compare.permalinks import services as permalinks
from benchdb.compare.tasks import redact_deleted
from benchdb.ingest.models import Scope
from benchdb.runs.services import delete_run, reinstate, withdraw
from tests.support.comparing.comparisons import compared_runs, ids
from tests.support.store import make_token

PACKED = {"Accept-Encoding": "gzip"}
SITE = "http://testserver"


@pytest.fixture
def link(owner: User) -> Permalink:
    made, _ = permalinks.share(owner, "table", ids(compared_runs(owner)), site=SITE)
    anonymous_page.prepare(made.id)
    return made


def read(client: Client, link: Permalink) -> str:
    """The page as a browser receives it."""
    answer = client.get(f"/c/{link.id}/", headers=PACKED)
    assert (answer.status_code, answer["Content-Encoding"]) == (200, "gzip")
    assert {"accept-encoding", "cookie"} <= {name.strip().lower() for name in answer["Vary"].split(",")}
    assert answer["Cache-Control"] == "no-cache"
    return gzip.decompress(answer.content).decode()


def kept() -> bytes:
    """The kept page of the only permalink."""
    return gzip.decompress(KeptAnswer.objects.get(name="page").data)


def test_the_first_reader_gets_the_page_with_one_query(
    client: Client, link: Permalink, django_assert_num_queries: Any
) -> None:
    Permalink.objects.filter(pk=link.pk).update(content={})  # the content is not read again

    with django_assert_num_queries(1):
        page = read(client, link)

    assert page == kept().decode()
    assert "csrfmiddlewaretoken" not in page


def test_it_is_the_page_that_a_request_renders(client: Client, link: Permalink) -> None:
    before = read(client, link)
    kept_answer = client.get(f"/c/{link.id}/")
    KeptAnswer.objects.all().delete()
    rendered = client.get(f"/c/{link.id}/")
    with_parameters = client.get(f"/c/{link.id}/?x=y").content.decode()  # rendered with the reader's own request

    assert rendered.content.decode() == before
    for name in ("Content-Type", "ETag", "Cache-Control", "Content-Security-Policy"):
        assert rendered[name] == kept_answer[name]
    assert with_parameters.replace("%3Fx%3Dy", "") == before
    assert kept() == rendered.content  # again


@pytest.mark.parametrize("by", ["form", "api"])
def test_sharing_renders_the_page_for_the_site_whatever_port_is_named(
    client: Client, owner: User, by: str, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    query, sent = ids(compared_runs(owner)), list[str]()
    monkeypatch.setattr(permalinks, "hand_over", lambda task, link: sent.append(link))
    for host in ("testserver", "testserver:40001", "TestServer.:40002"):
        with django_capture_on_commit_callbacks(execute=True):
            if by == "form":
                client.force_login(owner)
                client.post("/share/", {"kind": "table", "query": query}, headers={"Host": host})
            else:
                headers = {"Authorization": f"Bearer {make_token(owner, Scope.READ)[1]}", "Host": host}
                client.post("/api/v1/permalinks", {"query": query}, "application/json", headers=headers)

        link = Permalink.objects.get()
        assert (link.site, sent) == (SITE, [link.id])
        assert kept().decode() == read(Client(), link)


def test_an_answer_costs_one_query(client: Client, link: Permalink, django_assert_num_queries: Any) -> None:
    tag = client.get(f"/c/{link.id}/", headers=PACKED)["ETag"]

    with django_assert_num_queries(2):
        page = read(Client(), link)
        again = client.get(f"/c/{link.id}/", headers={**PACKED, "If-None-Match": tag})

    assert page
    assert again.status_code == 304


def test_an_answer_that_the_reader_has_is_not_read(client: Client, link: Permalink) -> None:
    tag = client.get(f"/c/{link.id}/", headers=PACKED)["ETag"]

    known = permalinks.glance(link.id, "page", f'"another", {tag}')
    unknown = permalinks.glance(link.id, "page", '"another"')

    assert known is not None
    assert unknown is not None
    assert known.kept is None
    assert tag == f"W/{known.kept_tag}"
    assert unknown.kept == KeptAnswer.objects.get(name="page").data


def test_a_tag_in_a_header_that_cannot_be_read_gets_the_page(client: Client, link: Permalink) -> None:
    tag = client.get(f"/c/{link.id}/", headers=PACKED)["ETag"]

    answer = client.get(f"/c/{link.id}/", headers={**PACKED, "If-None-Match": f"no list {tag}"})

    assert (answer.status_code, gzip.decompress(answer.content)) == (200, kept())


def test_a_permalink_that_another_process_revokes_is_gone_at_once(client: Client, link: Permalink) -> None:
    read(client, link)
    Permalink.objects.update(revoked_at=timezone.now())  # this process gets no message

    assert client.get(f"/c/{link.id}/", headers=PACKED).status_code == 410


def test_it_is_gone_as_soon_as_it_is_revoked(client: Client, owner: User, link: Permalink) -> None:
    tag = client.get(f"/c/{link.id}/", headers=PACKED)["ETag"]
    permalinks.revoke(owner, link.id)

    assert client.get(f"/c/{link.id}/", headers=PACKED).status_code == 410
    assert client.get(f"/c/{link.id}/", headers={**PACKED, "If-None-Match": tag}).status_code == 410


def test_a_run_that_is_withdrawn_or_deleted_shows_at_once(client: Client, owner: User, link: Permalink) -> None:
    before = read(client, link)
    first, second, _ = (state.run for state in owner.runs.order_by("pk"))
    withdraw(first, "the disk was failing")
    withdrawn = read(client, link)
    kept_then = kept().decode()
    reinstate(first)
    counted_again = read(client, link)
    delete_run(second)
    deleted = read(client, link)

    assert "the disk was failing" not in before
    assert "the disk was failing" in withdrawn
    assert kept_then == withdrawn
    assert "deleted since" not in withdrawn
    assert counted_again == before
    assert "1 run of this table was deleted since" in deleted


def test_redaction_deletes_what_is_kept(client: Client, owner: User, link: Permalink) -> None:
    client.get(f"/c/{link.id}.json")
    assert sorted(KeptAnswer.objects.values_list("name", flat=True)) == ["json", "page"]
    delete_run(owner.runs.order_by("pk")[0].run)
    redact_deleted()

    assert not KeptAnswer.objects.exists()
    read(client, link)
    client.get(f"/c/{link.id}.json")
    assert not KeptAnswer.objects.exists()


def test_a_page_rendered_before_a_deletion_is_not_kept_after_it(owner: User, link: Permalink) -> None:
    KeptAnswer.objects.all().delete()
    slow = permalinks.find(link.id)
    assert slow is not None
    delete_run(owner.runs.order_by("pk")[0].run)
    redact_deleted()

    assert anonymous_page.rendered(slow, SITE)
    assert not KeptAnswer.objects.exists()


def test_a_page_rendered_before_a_revocation_is_not_kept_after_it(owner: User, link: Permalink) -> None:
    KeptAnswer.objects.all().delete()
    slow = permalinks.find(link.id)
    assert slow is not None
    permalinks.revoke(owner, link.id)

    assert anonymous_page.rendered(slow, SITE)
    assert not KeptAnswer.objects.exists()


@pytest.mark.parametrize("what", ["version", "assets"])
def test_another_version_or_style_sheet_makes_another_page(
    client: Client, link: Permalink, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tag = client.get(f"/c/{link.id}/")["ETag"]
    KeptAnswer.objects.update(data=gzip.compress(b"of the version before"))
    assert client.get(f"/c/{link.id}/").content == b"of the version before"
    if what == "version":
        monkeypatch.setattr(anonymous_page, "__version__", "99")
    else:
        monkeypatch.setattr(staticfiles_storage, "manifest_hash", "another", raising=False)

    again = client.get(f"/c/{link.id}/", headers={"If-None-Match": tag})

    assert again.status_code == 200
    assert again["ETag"] != tag
    assert kept() == again.content != b"of the version before"


def test_who_is_signed_in_gets_a_page_of_their_own(client: Client, owner: User, link: Permalink) -> None:
    anonymous = read(client, link)
    client.force_login(owner)

    assert owner.username in read(client, link)
    assert read(Client(), link) == anonymous


def test_a_chosen_cell_is_another_page(client: Client, link: Permalink) -> None:
    chosen = client.get(f"/c/{link.id}/?cell=0-1-0", headers=PACKED)

    assert gzip.decompress(chosen.content).decode() != read(client, link)


@pytest.mark.parametrize(
    ("path", "host"), [("/c/{}/", "127.0.0.1"), ("/c/{}/", "testserver:8443"), ("/c/{}.json", "127.0.0.1")]
)
def test_another_name_of_the_site_is_another_answer_and_displaces_nothing(
    client: Client, link: Permalink, host: str, path: str
) -> None:
    address = path.format(link.id)
    client.get(address)
    before = list(KeptAnswer.objects.order_by("name").values())
    there = client.get(address)

    elsewhere = client.get(address, headers={"Host": host, "If-None-Match": there["ETag"]})

    assert f"http://{host}/c/" in elsewhere.content.decode()
    assert f"{SITE}/c/" not in elsewhere.content.decode()
    assert list(KeptAnswer.objects.order_by("name").values()) == before
    KeptAnswer.objects.all().delete()
    client.get(address, headers={"Host": host})
    assert not KeptAnswer.objects.exists()


def test_sharing_it_again_at_another_name_keeps_the_page_of_that_name(owner: User, link: Permalink) -> None:
    permalinks.share(owner, "table", link.query, site="http://127.0.0.1")
    anonymous_page.prepare(link.id)

    assert Permalink.objects.get().site == "http://127.0.0.1"
    assert b"http://127.0.0.1/c/" in kept()


def test_a_large_answer_is_not_kept(client: Client, link: Permalink, monkeypatch: pytest.MonkeyPatch) -> None:
    KeptAnswer.objects.all().delete()
    monkeypatch.setattr(kept_answers, "MOST_CONTENT", 1000)

    assert read(client, link)
    assert not KeptAnswer.objects.exists()


def test_a_reader_does_not_need_it_to_be_kept(
    client: Client, link: Permalink, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    page = read(client, link)
    KeptAnswer.objects.all().delete()

    def full(*_: object, **__: object) -> None:
        raise DatabaseError("the disk is full")

    monkeypatch.setattr(KeptAnswer.objects, "bulk_create", full)
    with caplog.at_level(logging.WARNING):
        assert read(client, link) == page
    assert "the disk is full" in caplog.text
