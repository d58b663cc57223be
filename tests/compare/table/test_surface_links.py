"""From a comparison to the surfaces of its runs."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.table.cell_views.surface_links import surfaces_of
from tests.support.comparing.comparisons import compared_runs, ids, surface_run
from tests.support.comparing.quantities import quantities, row
from tests.support.documents import GIB, KIB, MIB, result
from tests.support.html import Page, read
from tests.support.store import store_run

RUN = UUID(int=7)
TABLE = "Runs in this table"


def page_of(client: Client, query: str) -> Page:
    return read(client.get(f"/compare/?{query}"))


def test_each_run_leads_to_its_surface_and_to_both(client: Client, owner: User) -> None:
    runs = [surface_run(owner), surface_run(owner, file_system="xfs")]

    page = page_of(client, ids(runs))

    single, beside = f"/surface/?run={runs[1].id}", f"/surface/?{ids(runs)}"
    assert [row[-1].text for row in page.tables[TABLE]] == ["Surface", "alone", "alone, beside ext4"]
    assert page.tables[TABLE][2][-1].href == f"{single}&test=write&metric=throughput"
    assert page.links["beside ext4"] == f"{beside}&test=write&metric=throughput"
    assert read(client.get(page.links["beside ext4"])).scripts["surface-data"]["ratio"]["label"] == "xfs ÷ ext4"


def test_the_baseline_is_the_other_one(client: Client, owner: User) -> None:
    runs = [surface_run(owner), surface_run(owner, file_system="xfs")]

    page = page_of(client, f"{ids(runs)}&baseline=xfs")

    assert page.links["beside xfs"].startswith(f"/surface/?{ids(runs[::-1])}&")


def test_runs_without_a_surface_have_no_column(client: Client, owner: User) -> None:
    page = page_of(client, ids(compared_runs(owner)))

    assert "Surface" not in [cell.text for cell in page.tables[TABLE][0]]


def test_one_run_with_a_surface_among_others(client: Client, owner: User) -> None:
    other = store_run(owner, results=[result([1e8] * 3, file_size=MIB, record_size=4 * KIB)])
    page = page_of(client, ids([other, surface_run(owner, file_system="xfs")]))

    assert [row[-1].text for row in page.tables[TABLE]] == ["Surface", "", "alone"]


def test_the_number_of_queries_does_not_grow_with_the_runs(
    client: Client, owner: User, django_assert_max_num_queries: Any
) -> None:
    runs = [surface_run(owner, file_system=name) for name in ("ext4", "xfs", "btrfs", "f2fs")]

    for chosen in (runs[:1], runs):
        with django_assert_max_num_queries(10):
            page_of(client, ids(chosen))


@pytest.mark.parametrize(
    ("others", "swept"),
    [
        ([{"file_size": 2 * GIB}], False),
        ([{"record_size": KIB}], False),
        ([{"file_size": 2 * GIB, "record_size": KIB}], True),
        ([{"file_size": None, "record_size": KIB}], False),
        ([{"file_size": 2 * GIB, "record_size": None}], False),
        ([{"test": "read", "file_size": 2 * GIB, "record_size": KIB}], False),
        ([{"file_size": 2 * GIB}, {"record_size": KIB}], True),
    ],
)
def test_a_surface_takes_two_file_sizes_and_two_record_sizes_of_one_test(
    others: list[dict[str, Any]], swept: bool
) -> None:
    links = surfaces_of(quantities([row(), *(row(**other) for other in others)], runs=[RUN]))
    assert links == ({str(RUN): [("write", "throughput")]} if swept else {})
