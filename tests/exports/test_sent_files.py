"""Files of permalinks that are not made again for each reader are the same as new ones."""

import gzip
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.models import KeptAnswer, Permalink
from benchdb.compare.permalinks import services as permalinks
from benchdb.runs.services import delete_run, withdraw
from tests.support.comparing.comparisons import compared_runs, ids

PACKED = {"Accept-Encoding": "gzip"}


@pytest.fixture
def link(owner: User) -> Permalink:
    return permalinks.share(owner, "table", ids(compared_runs(owner)), site="http://testserver")[0]


def address(link: Permalink, form: str = "json") -> str:
    return f"/c/{link.id}.{form}"


@pytest.mark.parametrize("form", ["json", "csv", "md", "tex", "bb", "html"])
def test_the_second_reader_gets_the_same_file_without_the_figures(
    form: str, client: Client, owner: User, link: Permalink, django_assert_num_queries: Any
) -> None:
    first = client.get(address(link, form))
    Permalink.objects.filter(pk=link.pk).update(content={})  # the content is not read again
    reader = Client()
    reader.force_login(owner)

    with django_assert_num_queries(2):  # one for each answer
        plain, packed = client.get(address(link, form)), reader.get(address(link, form), headers=PACKED)

    assert first.content
    assert plain.content == first.content == gzip.decompress(packed.content)
    for name in ("Content-Type", "Content-Disposition", "Cache-Control"):
        assert plain[name] == first[name] == packed[name]
    assert plain["ETag"] == first["ETag"]
    assert (packed["ETag"], packed["Content-Encoding"]) == (f"W/{first['ETag']}", "gzip")


def test_who_has_it_is_told_so_without_the_figures(
    client: Client, link: Permalink, django_assert_num_queries: Any
) -> None:
    tag = client.get(address(link))["ETag"]

    with django_assert_num_queries(1):
        again = client.get(address(link), headers={"If-None-Match": tag})

    assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)


def test_what_is_taken_back_withdrawn_or_deleted_shows_at_once(client: Client, owner: User, link: Permalink) -> None:
    read = [client.get(address(link, "md")).content.decode() for _ in range(2)]
    first, second, _ = (state.run for state in owner.runs.order_by("pk"))
    withdraw(first, "the disk was failing")
    withdrawn = client.get(address(link, "md")).content.decode()
    delete_run(second)
    deleted = client.get(address(link, "md")).content.decode()
    permalinks.revoke(owner, link.id)

    assert read[0] == read[1]
    assert "the disk was failing" not in read[0]
    assert "the disk was failing" in withdrawn
    assert len(deleted.splitlines()) < len(withdrawn.splitlines())
    assert client.get(address(link, "md")).status_code == 410


def test_another_shape_format_or_name_of_the_site_is_another_file(client: Client, link: Permalink) -> None:
    cells = client.get(address(link, "csv"))
    long = client.get(f"{address(link, 'csv')}?shape=long")
    elsewhere = client.get(address(link), headers={"Host": "127.0.0.1"})

    assert long.content != cells.content
    assert long["ETag"] != cells["ETag"]
    assert client.get(address(link, "csv")).content == cells.content
    assert client.get(f"{address(link, 'csv')}?shape=long").content == long.content
    assert elsewhere.json()["address"].startswith("http://127.0.0.1/c/")
    assert client.get(address(link)).json()["address"].startswith("http://testserver/c/")


@pytest.mark.parametrize("path", ["/c/{}.json", "/c/{}/"])
@pytest.mark.parametrize("more", ["?&", "?cell=0-1-0", "?x=y"])
def test_an_answer_to_parameters_is_not_kept(path: str, more: str, client: Client, link: Permalink) -> None:
    assert client.get(f"{path.format(link.id)}{more}").status_code == 200
    assert not KeptAnswer.objects.exists()


@pytest.mark.parametrize("headers", [{}, {"If-None-Match": "*"}])
def test_what_there_is_not_stays_so(headers: dict[str, str], client: Client, link: Permalink) -> None:
    client.get(address(link))

    assert client.get(address(link, "exe"), headers=headers).status_code == 404
    assert client.get(f"{address(link)}?shape=round", headers=headers).status_code == 400
    assert client.get("/c/aaaaaaaaaaaaaaaa.json", headers=headers).status_code == 404
