"""The pages of watches and alerts, their forms, and the feed."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from benchdb.alerts import pages
from benchdb.alerts.models import Alert, AlertState, Watch
from tests.alerts.watched import confirmed, days, suspected, watched
from tests.feeds.read import feed
from tests.support.comparing.trends import upgraded
from tests.support.html import read
from tests.support.store import make_user
from tests.texts import missing_in

HOSTILE = "<script>alert(1)</script>"


def copies(alert: Alert, count: int) -> None:
    """So many more alerts of the watch, older ones."""
    for i, run in enumerate(days(alert.watch.owner, 100, [100.0] * count)):
        copy = Alert.objects.create(
            watch=alert.watch, run=run, before=alert.before, kind="better", ratio=1.1, change=f"n{i}", certain=False
        )
        Alert.objects.filter(pk=copy.pk).update(created_at=alert.created_at - timedelta(hours=i + 1))


def test_a_trend_leads_to_a_watch(ada: Client, owner: User) -> None:
    run = days(owner, 0, [100.0] * 2)[0]

    address = read(ada.get(f"/trend/?run={run.pk}&test=write")).links["Watch"]
    page = read(ada.get(address))
    assert "Write over time on epyc-2" in page.text
    answer = ada.post(address, {"name": HOSTILE, "webhook": "https://example.org/hook"})

    watch = Watch.objects.get()
    assert answer["Location"] == f"/watches/{watch.pk}/"
    assert (watch.owner, watch.machine, watch.name, watch.mail) == (owner, run.machine, HOSTILE, False)
    assert f"run={run.pk}" in watch.query
    for path in ("/watches/", answer["Location"]):
        shown = ada.get(path).content.decode()
        assert HOSTILE not in shown
        assert "&lt;script&gt;" in shown
    assert watch.secret in ada.get(answer["Location"]).content.decode()


def test_every_fault_of_the_form_is_at_its_field(ada: Client, owner: User) -> None:
    run = days(owner, 0, [100.0])[0]
    answer = ada.post(f"/watches/new/?run={run.pk}", {"name": "\x07", "mail": "1", "webhook": "http://x/"})
    assert answer.status_code == 422
    text = answer.content.decode()
    assert not missing_in(text, "It must be", "This site sends no mail.", "The address must begin with https://")
    assert not Watch.objects.exists()


def test_a_trend_that_is_not_there_or_not_ones_own_cannot_be_watched(ada: Client, owner: User) -> None:
    other = upgraded(make_user("eve"))[0]
    assert ada.get("/watches/new/?run=x").status_code == 400
    answer = ada.get(f"/watches/new/?run={other.pk}")
    assert answer.status_code == 400
    assert "The machine of this trend is not yours." in answer.content.decode()


def test_an_account_has_a_limited_number_of_watches(ada: Client, owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    watch = watched(owner)
    monkeypatch.setattr("benchdb.alerts.services.MOST_WATCHES", 1)
    answer = ada.post(f"/watches/new/?{watch.query}", {"name": "second"})
    assert answer.status_code == 400
    assert "You have as many watches as an account can have, 1." in answer.content.decode()


def test_settings_of_a_watch_are_changed_muted_and_deleted(ada: Client, owner: User) -> None:
    watch = watched(owner)
    path = f"/watches/{watch.pk}/"
    assert ada.post(path, {"name": "other", "webhook": ""})["Location"] == path
    assert ada.post(path, {"name": ""}).status_code == 422
    ada.post(f"{path}mute/", {"days": "7"})
    watch.refresh_from_db()
    assert watch.name == "other"
    assert watch.muted_until is not None
    assert timedelta(days=6) < watch.muted_until - timezone.now() <= timedelta(days=7)
    assert "muted until" in read(ada.get(path)).text
    ada.post(f"{path}mute/", {"days": "0"})
    page = read(ada.get(path)).text
    assert "muted until" not in page
    assert "then one lasting change of 10\xa0% in ten is missed, and two of three of 5\xa0%" in page
    assert "days cannot be &#x27;x&#x27;" in ada.post(f"{path}mute/", {"days": "x"}, follow=True).content.decode()
    assert ada.post(f"{path}delete/")["Location"] == "/watches/"
    assert not Watch.objects.exists()


def test_an_alert_shows_the_comparison_and_the_causes_and_is_acknowledged(ada: Client, owner: User) -> None:
    alert = confirmed(owner, webhook="https://example.org/hook")
    path = f"/alerts/{alert.pk}/"

    page = read(ada.get(path))

    assert not missing_in(
        page.text, alert.change, alert.reason, "confirmed", "old and new settings in turns", "mount options", "restored"
    )
    assert page.links["Compare the runs"] == f"/compare/?run={alert.old_run_id}&run={alert.new_run_id}"
    assert ada.get(page.links["Compare the runs"]).status_code == 200
    assert ada.get(page.links["Trend"]).status_code == 200
    assert "waiting" in page.text
    assert ada.post(f"{path}acknowledge/")["Location"] == path
    acknowledged = Alert.objects.get().acknowledged_at
    ada.post(f"{path}acknowledge/")
    assert acknowledged is not None
    assert Alert.objects.get().acknowledged_at == acknowledged
    assert "Acknowledge</button>" not in ada.get(path).content.decode()


@pytest.mark.parametrize("state", list(AlertState))
def test_every_state_has_a_page(ada: Client, owner: User, state: AlertState) -> None:
    alert = suspected(owner)
    Alert.objects.update(state=state)
    assert str(state.label).lower() in read(ada.get(f"/alerts/{alert.pk}/")).text
    assert str(state.label).lower() in read(ada.get("/watches/")).text


def test_others_see_nothing_of_it(client: Client, owner: User) -> None:
    alert = suspected(owner)
    client.force_login(make_user("eve"))
    for path in (f"/alerts/{alert.pk}/", f"/watches/{alert.watch_id}/", f"/watches/?before={alert.pk}"):
        assert client.get(path).status_code == 404
    assert alert.watch.name not in read(client.get("/watches/")).text


def test_the_feed_has_the_alerts_for_everybody_with_its_secret(client: Client, owner: User) -> None:
    alert = confirmed(owner)
    path = f"/watches/{alert.watch_id}/feed/{alert.watch.feed_key}.atom"
    [entry] = feed(client, path).entries
    assert (entry.id, entry.title) == (alert.pk.urn, "ext4 on epyc-2: worse, confirmed")
    assert alert.reason in entry.summary
    assert {tag.term for tag in entry.tags} == {"worse", "confirmed"}
    assert client.get(f"/watches/{alert.watch_id}/feed/{alert.watch.feed_key[:-1]}.atom").status_code == 404
    assert client.get(f"/watches/{alert.watch_id}/feed/é.atom").status_code == 404
    User.objects.update(is_active=False)
    assert client.get(path).status_code == 404, "a closed account shows nothing"


def test_long_lists_have_pages_and_a_constant_number_of_queries(
    ada: Client, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    alert = suspected(owner)
    paths: list[Any] = [
        "/watches/",
        f"/watches/{alert.watch_id}/",
        f"/watches/{alert.watch_id}/feed/{alert.watch.feed_key}.atom",
    ]
    first = [queries(ada, path) for path in paths]
    copies(alert, 3)
    assert [queries(ada, path) for path in paths] == first
    monkeypatch.setattr(pages, "PAGE", 3)
    older = read(ada.get("/watches/")).links["Older alerts →"]
    assert [row[0].text for row in read(ada.get(older)).tables["alert-list"][1:]] == ["▲ n2"]
    assert ada.get("/watches/?before=x").status_code == 404


def queries(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(path).status_code == 200
    return len(captured)


def test_a_watch_whose_trend_is_gone_says_what_to_do(ada: Client, owner: User) -> None:
    watch = watched(owner)
    Watch.objects.update(problem="There is no run.")
    assert "Watch the trend again from a newer run." in read(ada.get(f"/watches/{watch.pk}/")).text
    assert "stopped: There is no run." in read(ada.get("/watches/")).text
