"""Sharing, and `/c/ID/`: a frozen table or surface."""

from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.catalog.models import Machine
from benchdb.compare.models import Permalink
from benchdb.compare.permalinks.services import NotPublic, evaluated, frozen_of, share
from benchdb.compare.table.content import TableContent
from benchdb.runs.models import Run, RunState, Summary
from benchdb.stats import STATISTICS_VERSION
from tests.support.campaigns import of_point, store_campaign
from tests.support.comparing.comparisons import campaign, compared_runs, ids, surface_run
from tests.support.comparing.panels import panels_of
from tests.support.documents import bonnie_document, result
from tests.support.html import read
from tests.support.store import make_user, store_run
from tests.texts import missing_in

PATHS = ["/c/{}/", "/c/{}/embed", "/c/{}.json", "/c/{}.csv"]


def frozen(owner: User, runs: list[Run], **options: Any) -> Permalink:
    return share(owner, "table", ids(runs), **options)[0]


def test_a_button_freezes_what_the_page_shows(ada: Client, owner: User) -> None:
    page = read(ada.get(f"/compare/?{ids(compared_runs(owner))}&baseline=xfs"))

    answer = ada.post("/share/", {"kind": page.fields["kind"][0], "query": page.fields["query"][0]})

    shared = read(ada.get(answer["Location"]))
    assert shared.tables["comparison"] == page.tables["comparison"]
    assert panels_of(ada, shared) == panels_of(ada, page)
    assert not missing_in(
        shared.text, "Frozen table.", f"by ada from 3 runs, statistics {STATISTICS_VERSION}. Its numbers do not change."
    )


def test_a_surface_is_shared_too(ada: Client, owner: User) -> None:
    page = read(ada.get(f"/surface/?run={surface_run(owner).id}"))

    answer = ada.post("/share/", {"kind": page.fields["kind"][0], "query": page.fields["query"][0]})

    shared = read(ada.get(answer["Location"]))
    assert shared.scripts["surface-data"] == page.scripts["surface-data"]
    assert "Frozen surface." in shared.text
    assert shared.links["With current data"] == answer["Location"] + "today"


def test_who_is_not_signed_in_is_told_to(client: Client, owner: User) -> None:
    query = ids(compared_runs(owner))
    page = read(client.get(f"/compare/?{query}"))

    assert page.links["Sign in to share"].startswith("/login/?next=/compare/%3F")
    assert "Share" not in page.links
    assert client.post("/share/", {"query": query})["Location"].startswith("/login/")
    assert not Permalink.objects.exists()


def test_the_same_share_has_the_same_address(owner: User) -> None:
    runs = compared_runs(owner)

    first, new = share(owner, "table", ids(runs))
    second, again = share(owner, "table", ids(runs))

    assert (new, again) == (True, False)
    assert first.id == second.id
    assert frozen(make_user("eve"), runs).id != first.id


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_figures_that_are_not_public_are_shared_only_after_asking(ada: Client, owner: User, visibility: str) -> None:
    runs = compared_runs(owner, visibility=visibility)
    question = read(ada.post("/share/", {"kind": "table", "query": ids(runs)}), 409)
    assert not missing_in(
        question.text, "This table shows runs that are not public", f"iozone on xfs, {visibility}, epyc-2"
    )
    assert question.links["iozone on xfs"] == f"/runs/{runs[1].id}/"
    assert not Permalink.objects.exists()

    agreed = {name: question.fields[name][0] for name in ("kind", "query", "share_private")}
    address = ada.post("/share/", agreed)["Location"]
    ada.logout()
    assert "120.00" in read(ada.get(address)).text
    assert ada.get(f"/runs/{runs[1].id}/").status_code == (404 if visibility == "private" else 200)


def test_a_campaign_with_private_runs_asks_too(ada: Client, owner: User) -> None:
    belongs = campaign()
    compared_runs(owner, {"ext4": 1e8}, campaign=belongs)
    compared_runs(owner, {"xfs": 1e8}, campaign=belongs, visibility="private")

    question = read(ada.post("/share/", {"query": f"campaign={belongs['id']}"}), 409)

    assert "iozone on xfs" in question.links
    assert "iozone on ext4" not in question.links


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_runs_that_are_left_out_and_not_public_are_not_told(owner: User, visibility: str) -> None:
    belongs = campaign()
    runs = compared_runs(owner, {"ext4": 1e8, "xfs": 1e8}, campaign=belongs)
    other = store_run(owner, bonnie_document(), visibility=visibility)
    store_run(owner, results=[result([1.0] * 3, "read")], campaign=belongs, visibility=visibility)

    for query in (ids([*runs, other]), f"campaign={belongs['id']}&test=write&metric=throughput"):
        link, _ = share(owner, "table", query)
        assert (evaluated("table", query, owner).notes != [], link.content["notes"]) == (True, []), query
        assert str(other.id) not in f"{link.content}{link.query}"


@pytest.mark.parametrize("rows", ["", "&rows=campaign,file_system"], ids=["usual", "a row a campaign"])
def test_a_campaign_that_lists_do_not_show_is_not_named(client: Client, owner: User, rows: str) -> None:
    hidden = store_campaign(owner, visibility="unlisted")
    compared_runs(owner, campaign=of_point(hidden.pk, "p"))

    link, _ = share(owner, "table", f"campaign={hidden.pk}{rows}")

    address = link.get_absolute_url()
    assert "20.0" in read(client.get(address)).text
    for path in (address, f"{address.rstrip('/')}.json", f"{address}today/"):
        assert str(hidden.pk) not in client.get(path).content.decode()


def test_nobody_shares_what_they_may_not_see(client: Client, owner: User) -> None:
    client.force_login(make_user("eve"))
    query = ids(compared_runs(owner, visibility="private"))

    assert client.post("/share/", {"query": query, "share_private": "yes"}).status_code == 404
    assert not Permalink.objects.exists()


TAMPERED = [
    {},
    {"query": "rows=test"},
    {"query": "x=1"},
    {"kind": "song", "query": ""},
    {"query": "run=<script>"},
    {"query": "run=%00"},
    {"query": "run=" + "7" * 100_000},
    {"query": "&" * 100_000},
    {"query": "rows=\x00&columns=\ud800".encode("utf-8", "replace").decode()},
]


@pytest.mark.parametrize("form", TAMPERED)
def test_what_cannot_be_shared_is_400(ada: Client, form: dict[str, str]) -> None:
    assert ada.post("/share/", form).status_code == 400


def test_a_permalink_never_changes(client: Client, owner: User) -> None:
    link = frozen(owner, compared_runs(owner))
    before = {path: client.get(path.format(link.id)).content for path in PATHS}

    Summary.objects.update(mean=1.0, sd=None)
    Machine.objects.update(name="renamed")
    owner.username = "renamed"
    owner.save()

    assert {path: client.get(path.format(link.id)).content for path in PATHS} == before


def test_what_is_still_being_computed_is_not_frozen(ada: Client, owner: User) -> None:
    query = ids(compared_runs(owner))
    RunState.objects.update(state="computing")

    answer = read(ada.post("/share/", {"query": query}), 400)

    assert "Statistics are still being computed." in answer.text
    assert not Permalink.objects.exists()


# One query for an answer that is kept, before another for the figures. Embeds are not kept.
@pytest.mark.parametrize("path", PATHS)
def test_it_is_read_with_two_queries(client: Client, owner: User, django_assert_num_queries: Any, path: str) -> None:
    link = frozen(owner, compared_runs(owner))

    with django_assert_num_queries(1 if path.endswith("embed") else 2):
        assert client.get(path.format(link.id)).status_code == 200


@pytest.mark.parametrize("path", PATHS)
def test_not_changed_takes_one_query_too(
    client: Client, owner: User, django_assert_num_queries: Any, path: str
) -> None:
    address = path.format(frozen(owner, compared_runs(owner)).id)
    tag = client.get(address)["ETag"]

    with django_assert_num_queries(1):
        assert client.get(address, headers={"If-None-Match": tag}).status_code == 304


@pytest.mark.parametrize("path", PATHS)
def test_who_has_it_already_is_told_so(client: Client, owner: User, path: str) -> None:
    address = path.format(frozen(owner, compared_runs(owner)).id)
    tag = client.get(address)["ETag"]

    again = client.get(address, headers={"If-None-Match": tag})

    assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)
    assert client.get(address, headers={"If-None-Match": '"other"'}).status_code == 200


def test_formats_have_tags_of_their_own(client: Client, owner: User) -> None:
    link = frozen(owner, compared_runs(owner))

    assert len({client.get(path.format(link.id))["ETag"] for path in PATHS}) == len(PATHS)


def test_a_page_with_the_readers_name_is_not_kept(ada: Client, owner: User) -> None:

    assert "ETag" not in ada.get(f"/c/{frozen(owner, compared_runs(owner)).id}/")


@pytest.mark.parametrize(
    "path", ["/c/nothing/", "/c/nothing.json", "/c/%00/", "/c/{}.xml", "/c/{}%00.json", f"/c/{'a' * 100_000}/"]
)
def test_what_is_not_there_is_404(client: Client, owner: User, path: str) -> None:
    assert client.get(path.format(frozen(owner, compared_runs(owner)).id)).status_code == 404


def test_what_is_no_number_is_not_frozen(owner: User) -> None:
    content = evaluated("table", ids(compared_runs(owner)), owner)
    assert isinstance(content, TableContent)
    cells = content.groups[0].rows[0].cells
    assert cells[0] is not None
    cells[0] = replace(cells[0], mean=float("nan"))

    with pytest.raises(ValueError, match="JSON compliant"):
        frozen_of(content)


def test_addresses_cannot_be_guessed(owner: User, settings: Any) -> None:
    runs = compared_runs(owner)
    here = frozen(owner, runs).id
    Permalink.objects.all().delete()
    settings.SECRET_KEY = "another"

    assert len(here) == 16
    assert frozen(owner, runs).id != here


def test_private_runs_are_named_to_who_wants_to_share_them(owner: User) -> None:
    runs = compared_runs(owner, {"ext4": 1e8}) + compared_runs(owner, {"xfs": 1e8}, visibility="private")

    with pytest.raises(NotPublic) as caught:
        frozen(owner, runs)
    assert caught.value.runs == [runs[1].id]
