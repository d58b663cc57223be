"""From a comparison to the surfaces of its runs."""

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


@pytest.mark.parametrize("baseline", ["ext4", "xfs"])
def test_each_run_leads_to_its_surface_and_the_table_to_those_of_all(
    client: Client, owner: User, baseline: str
) -> None:
    runs = [surface_run(owner, file_system=name) for name in ("ext4", "xfs", "btrfs")]
    first = sorted(runs, key=lambda run: run.target.file_system != baseline)

    page = page_of(client, f"{ids(runs)}&baseline={baseline}")

    own = [row[1].href for row in page.tables[TABLE][1:]]
    assert own == [f"/surface/?run={run.id}&test=write&metric=throughput" for run in runs]
    assert page.links["Surface"].startswith(f"/surface/?{ids(first)}&test=write&metric=throughput#place=")
    together = read(client.get(page.links["Surface"])).scripts["surface-data"]
    assert together["surfaces"][0]["label"] == baseline


def test_runs_without_a_surface_have_no_link(client: Client, owner: User) -> None:
    assert "surface" not in page_of(client, ids(compared_runs(owner))).links


def test_one_run_with_a_surface_among_others(client: Client, owner: User) -> None:
    other = store_run(owner, results=[result([1e8] * 3, file_size=MIB, record_size=4 * KIB)])
    page = page_of(client, ids([other, surface_run(owner, file_system="xfs")]))

    assert [row[1].text.endswith("surface") for row in page.tables[TABLE]] == [False, False, True]


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
