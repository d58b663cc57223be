"""The feeds of campaigns and of changes of trends."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.feeds import views as feed_of_campaigns
from tests.feeds.read import feed
from tests.support.campaigns import campaign_document, ended, store_campaign
from tests.support.comparing.trends import run_of_day, upgraded
from tests.support.documents import MIB
from tests.support.html import read


def test_campaigns_come_with_their_end_and_not_if_private(
    ada: Client, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = store_campaign(owner, campaign_document())
    over = store_campaign(owner, ended(campaign_document()))
    store_campaign(owner, campaign_document(), visibility="private")

    parsed = feed(ada, f"/campaigns/feed.atom?machine={running.machine_id}")

    assert [entry.id for entry in parsed.entries] == [over.pk.urn, running.pk.urn]
    assert parsed.entries[0].title == "tiny · epyc-2"
    assert "finished" in parsed.entries[0].summary
    assert parsed.entries[0].updated > parsed.entries[0].published
    monkeypatch.setattr(feed_of_campaigns, "PAGE", 1)
    newest = feed(ada, "/campaigns/feed.atom")
    [older] = [link.href for link in newest.feed.links if link.rel == "next"]
    assert [entry.id for entry in feed(ada, older).entries] == [running.pk.urn]
    assert read(ada.get("/campaigns/")).links["Feed of campaigns"] == "/campaigns/feed.atom"
    assert ada.get("/campaigns/feed.atom?before=x").status_code == 404


def test_a_trend_has_its_change_points_under_ids_that_stay(client: Client, owner: User) -> None:
    runs = upgraded(owner)
    page = read(client.get(f"/trend/?run={runs[0].id}&test=random_write"))

    [change] = feed(client, page.links["Feed of changes"]).entries
    assert "Throughput of random write: 12.0 % slower" in change.title
    assert (change.tags[0].term, change.updated_parsed[:3]) == ("worse", (2026, 11, 28))
    run_of_day(owner, 16, 88 * MIB)
    for query in (f"machine={runs[0].machine_id}", f"run={runs[3].id}&unit=KiB/s"):
        assert [entry.id for entry in feed(client, f"/trend/feed.atom?{query}&test=random_write").entries] == [
            change.id
        ]
    assert client.get("/trend/feed.atom?run=x").status_code == 400


def test_a_trend_of_private_runs_has_no_feed(ada: Client, owner: User) -> None:
    run = upgraded(owner, visibility="private")[0]
    assert ada.get(f"/trend/?run={run.id}").status_code == 200
    assert ada.get(f"/trend/feed.atom?run={run.id}").status_code == 404
