"""Common properties of all formats: links, headers, refusals."""

from itertools import count

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from benchdb.compare.models import Permalink
from benchdb.compare.page_parts.export_menu import export_links
from benchdb.compare.permalinks.services import share
from benchdb.exports.formats import FORMATS
from tests.support.comparing.comparisons import compared_runs, ids, surface_run, unknown_id
from tests.support.html import read

PICTURES = ("svg", "png", "pdf")
MENU = ["JSON", "CSV", "CSV wide", "CSV long", "TSV", "Parquet", "MD", "HTML", "TeX", "BBCode", "SVG", "PNG", "PDF"]
MENU += ["BMF", "GitHub, bigger", "GitHub, smaller", "JUnit", "OpenMetrics"]


def test_the_menu_has_every_format() -> None:
    links = export_links(lambda extension: f"/c/x.{extension}")

    assert [link.label for link in links] == MENU
    assert [link.href for link in links][1:4] == ["/c/x.csv", "/c/x.csv?shape=wide", "/c/x.csv?shape=long"]
    assert [link.label for link in links if link.common] == ["JSON", "CSV", "MD", "TeX", "SVG", "PNG"]


def test_every_link_of_every_page_works(client: Client, owner: User) -> None:
    runs = compared_runs(owner)
    link, _ = share(owner, "table", ids(runs))
    numbers = count(1)
    queries = (f"compare/?{ids(runs)}", f"surface/?run={surface_run(owner).id}", f"trend/?run={runs[0].id}")
    for address in (*(f"/{query}" for query in queries), f"/c/{link.id}/"):
        page = read(client.get(address))
        assert FORMATS
        for name, export_format in FORMATS.items():
            # Each address may request one live picture at a time.
            answer = client.get(page.links[export_format.label], REMOTE_ADDR=f"192.0.2.{next(numbers)}")
            assert answer.status_code == (202 if name in PICTURES else 200), name
        for shape in ("wide", "long"):
            assert client.get(page.links[f"CSV {shape}"]).status_code == 200


@pytest.mark.parametrize("form", [name for name in FORMATS if name not in PICTURES])
def test_a_frozen_format_is_the_same_each_time_and_need_not_be_sent_again(
    client: Client, owner: User, form: str
) -> None:
    link, _ = share(owner, "table", ids(compared_runs(owner)))
    first = client.get(f"/c/{link.id}.{form}")

    assert (first.content, first["Cache-Control"]) == (client.get(f"/c/{link.id}.{form}").content, "no-cache")
    assert first["Content-Disposition"] == f'inline; filename="benchdb-{link.id}.{form}"'
    again = client.get(f"/c/{link.id}.{form}", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_formats_and_shapes_have_tags_of_their_own(client: Client, owner: User) -> None:
    link, _ = share(owner, "table", ids(compared_runs(owner)))
    ends = [".json", ".csv", ".csv?shape=long", ".csv?shape=wide", ".tsv", ".md"]

    assert len({client.get(f"/c/{link.id}{end}")["ETag"] for end in ends}) == len(ends)


@pytest.mark.parametrize("form", FORMATS)
def test_what_was_revoked_is_gone(client: Client, owner: User, form: str) -> None:
    link, _ = share(owner, "table", ids(compared_runs(owner)))
    Permalink.objects.update(revoked_at=timezone.now())

    assert client.get(f"/c/{link.id}.{form}").status_code == 410


@pytest.mark.parametrize("form", FORMATS)
def test_nobody_exports_what_they_may_not_see(client: Client, owner: User, form: str) -> None:
    runs = compared_runs(owner, visibility="private")

    assert client.get(f"/compare/table.{form}?{ids(runs)}").status_code == 404


@pytest.mark.parametrize("path", ["/compare/table", "/surface/surface"])
def test_an_unknown_format_is_404(client: Client, owner: User, path: str) -> None:
    assert client.get(f"{path}.xml?run={surface_run(owner).id}").status_code == 404


@pytest.mark.parametrize(
    ("address", "status", "fault"),
    [
        ("/compare/table.json?rows=moon", 400, "rows cannot be 'moon'"),
        ("/compare/table.csv?run={unknown}", 404, "There is no run"),
        ("/compare/table.png?run={unknown}", 404, "There is no run"),
        ("/compare/table.csv?shape=round", 400, "shape cannot be 'round'; possible are cells, long, wide"),
        ("/compare/table.json?shape=wide", 400, "shape is for csv, tsv, parquet; json has none"),
        ("/surface/surface.json", 400, "Name a run"),
        ("/surface/surface.csv?run={unknown}", 404, "There is no run"),
    ],
)
def test_what_cannot_be_is_said_as_plain_text(client: Client, db: None, address: str, status: int, fault: str) -> None:
    answer = client.get(address.format(unknown=unknown_id()))

    assert answer.status_code == status
    assert answer["Content-Type"].startswith("text/plain")
    assert fault in answer.content.decode()
