"""`/search/suggest/`: what the box of the search suggests while a reader types."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.support.campaigns import campaign_document, store_campaign
from tests.support.comparing.comparisons import compared_runs
from tests.support.store import store_run


def suggested(client: Client, text: str) -> dict[str, str]:
    answer = client.get("/search/suggest/", {"q": text})
    assert "private" in answer["Cache-Control"]
    lines = answer.json()["lines"]
    assert len(lines) <= 8
    return {line["text"]: line["href"] for line in lines}


def test_pages_of_every_kind_are_suggested(client: Client, owner: User) -> None:
    [run, *_] = compared_runs(owner)
    campaign = store_campaign(owner, campaign_document())
    assert suggested(client, "btr")["btrfs"] == "/file-systems/btrfs/"
    assert suggested(client, run.machine.name[:3])[run.machine.name] == f"/machines/{run.machine.pk}/"
    assert suggested(client, campaign.plan_name[:3])[campaign.plan_name] == campaign.get_absolute_url()
    assert suggested(client, "comparability")["The comparability guard"] == "/docs/guard/"
    found = suggested(client, "xfs rea")
    assert client.get(found["Read: xfs, btrfs, ext4 compared"]).status_code == 200


@pytest.mark.parametrize("text", ["", "x", " x ", "\x00\x00", "%%", "no such thing", "<script>" * 50])
def test_nothing_is_suggested_without_a_match(client: Client, owner: User, text: str) -> None:
    compared_runs(owner)
    assert suggested(client, text) == {}


def test_only_what_lists_show_is_suggested_in_as_many_queries(client: Client, owner: User) -> None:
    store_run(owner)
    counts = []
    for visibility in ("private", "public"):
        store_run(owner, visibility=visibility, file_system="f2fs")
        client.get("/search/suggest/?q=new")  # reads the facets of the run once
        with CaptureQueriesContext(connection) as queries:
            assert (visibility == "public") == ("f2fs" in suggested(client, "f2"))
        counts.append(len(queries))
    assert counts[0] == counts[1]
