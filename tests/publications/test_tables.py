"""The tables of articles are permalinks with fixed addresses, frozen once."""

import pytest
from django.test import Client

from benchdb.compare.models import Permalink
from benchdb.compare.permalinks.services import revoke
from benchdb.publications.data_files import DATA, read
from benchdb.publications.models import Publication, PublishedTable
from benchdb.publications.page_files import page_file
from benchdb.publications.services import load, system_user
from benchdb.runs.models import Run
from benchdb.runs.services import delete_run
from tests.support.html import read as page_of
from tests.texts import missing_in

SLUG = "iozone-2009"
pytestmark = pytest.mark.django_db


def links() -> dict[str, str]:
    return dict(PublishedTable.objects.filter(publication=SLUG).values_list("key", "permalink_id"))


def test_every_table_of_the_page_file_is_frozen_under_its_title() -> None:
    load(read(SLUG))

    found = PublishedTable.objects.filter(publication=SLUG).values_list("key", "permalink__content__title")
    assert sorted(found) == sorted((table.key, table.title) for table in page_file(SLUG).tables)
    assert Permalink.objects.count() == len(found)


def test_loading_again_keeps_every_address_and_what_was_frozen() -> None:
    load(read(SLUG))
    before, frozen = links(), list(Permalink.objects.order_by("pk").values())

    load(read(SLUG))

    assert links() == before
    assert list(Permalink.objects.order_by("pk").values()) == frozen


def test_addresses_are_of_the_content_and_of_no_server() -> None:
    first = load(read(SLUG))
    before = links()
    Publication.objects.all().delete()
    Permalink.objects.all().delete()
    Run.objects.all().delete()
    system_user().delete()

    again = load(read(SLUG))

    assert (first.new, again.new) == (3, 3)
    assert links() == before


def test_a_corrected_figure_is_in_a_new_table_and_the_old_one_says_that_its_run_was_withdrawn(client: Client) -> None:
    load(read(SLUG))
    before = links()

    load(read(SLUG, (DATA / f"{SLUG}.toml").read_text().replace('"100,476.50 ± 167.31"', '"100,476.60 ± 167.31"')))

    assert links()["table-2"] != before["table-2"]
    old, new = (page_of(client.get(f"/c/{tables['table-2']}/")) for tables in (before, links()))
    assert not missing_in(old.text, "was withdrawn", "100\u202f476.50")
    assert "100\u202f476.60" in new.text


def test_a_revoked_table_comes_back() -> None:
    load(read(SLUG))
    revoke(system_user(), links()["table-2"])

    load(read(SLUG))

    assert not Permalink.objects.exclude(revoked_at=None).exists()


def test_a_deleted_run_is_in_no_table_and_the_others_stay(client: Client) -> None:
    delete_run(load(read(SLUG)).publication.published_runs.get(key="ext4").run)

    load(read(SLUG))

    page = page_of(client.get(f"/articles/{SLUG}/"))
    assert "109\u202f339.90" not in page.text
    assert "72\u202f938.10" in page.text
