"""Uploads without an account: what they may do, and who gets them in the end."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from benchdb.ingest.models import Token
from benchdb.quotas.services import used_by
from benchdb.runs.models import Run, RunState
from benchdb.web.account import claiming
from benchdb.web.tasks import sweep_deleted_accounts
from tests.support.caches import empty_caches
from tests.support.documents import document
from tests.support.html import read
from tests.support.store import make_user, store_run

TOKEN, CLAIM, BEGIN = "/api/v1/token", "/account/claim/", "/import/anonymous/"


@pytest.fixture
def open_site(settings: Any, db: None) -> Any:
    settings.ANONYMOUS, settings.CACHES = "unlisted", empty_caches()
    return settings


def begun() -> str:
    """The secret of a new anonymous upload."""
    answer = Client().post(TOKEN)
    assert answer.status_code == 201, answer.content
    secret: str = answer.json()["secret"]
    return secret


def upload(secret: str, **sections: Any) -> UUID:
    """Send a document as an agent does; the id of its run."""
    sent = document(**sections)
    headers = {"Authorization": f"Bearer {secret}"}
    answer = Client().put(f"/api/v1/runs/{sent['run_id']}", json.dumps(sent), "application/json", headers=headers)
    assert answer.status_code == 201, answer.content
    return UUID(sent["run_id"])


def claimed(client: Client, secret: str) -> int:
    return client.post(CLAIM, {"secret": secret}).status_code


def test_without_the_setting_there_are_none(client: Client, db: None) -> None:
    assert client.post(TOKEN).status_code == client.post(BEGIN).status_code == 404
    assert b"without an account" not in client.get("/import/").content
    assert not User.objects.exists()


@pytest.mark.parametrize("visibility", ["unlisted", "public"])
def test_the_site_decides_who_reads_the_runs(visibility: str, open_site: Any) -> None:
    open_site.ANONYMOUS = visibility
    for wanted in ("private", "unlisted", "public"):
        run = upload(begun(), visibility=wanted)
        assert RunState.objects.get(pk=run).visibility == visibility


@pytest.mark.usefixtures("open_site")
def test_an_account_claims_the_runs_once(client: Client) -> None:
    secret = begun()
    runs = [upload(secret), upload(secret)]
    ada = make_user("ada")
    client.force_login(ada)
    shown = read(client.post(CLAIM, {"secret": f" {secret}\n"}, follow=True)).text
    assert "2 runs now belong to your account." in shown
    assert set(RunState.objects.filter(owner=ada).values_list("pk", flat=True)) == set(runs)
    assert used_by(ada.pk).runs == 2
    assert Run.objects.get(pk=runs[0]).machine.owner == ada
    assert client.get(f"/runs/{runs[0]}/edit/").status_code == 200

    assert claimed(client, secret) == 422
    headers = {"Authorization": f"Bearer {secret}"}
    assert Client().get("/api/v1/token", headers=headers).status_code == 401
    sweep_deleted_accounts()
    assert RunState.objects.filter(owner=ada).count() == 2
    assert client.get(f"/runs/{runs[0]}/").status_code == 200


@pytest.mark.usefixtures("open_site")
def test_runs_of_a_machine_that_the_account_has_already(client: Client) -> None:
    ada = make_user("ada")
    store_run(ada)
    secret = begun()
    run = upload(secret)
    client.force_login(ada)
    assert claimed(client, secret) == 302
    sweep_deleted_accounts()
    assert client.get(f"/runs/{run}/").status_code == 200
    assert RunState.objects.filter(owner=ada).count() == 2
    assert client.post(f"/runs/{run}/delete/").status_code == 302


@pytest.mark.usefixtures("open_site")
def test_only_secrets_of_anonymous_uploads_claim(client: Client, open_site: Any) -> None:
    eve, ada = make_user("eve"), make_user("anonymous-fan")
    store_run(ada)
    client.force_login(ada)
    form = {"name": "mine", "scopes": ["upload"], "visibility": "private", "lasts": "30"}
    client.post("/account/", form)
    secret = read(client.get("/account/")).text.partition("bdb_")[2].split()[0]
    client.force_login(eve)
    for wrong in ("", "x", f"bdb_{secret}", "bdb_\0"):
        assert claimed(client, wrong) == 422
    assert not RunState.objects.filter(owner=eve).exists()
    open_site.LOGIN_RATE = "1/h"
    assert claimed(client, begun()) == 429, "after wrong ones, right ones wait too"


@pytest.mark.usefixtures("open_site")
def test_a_full_quota_refuses_the_claim_and_changes_nothing(client: Client, open_site: Any) -> None:
    secret = begun()
    run = upload(secret)
    open_site.QUOTAS = {**open_site.QUOTAS, "runs": "0"}
    ada = make_user("ada")
    client.force_login(ada)
    assert "The quota of this account for runs" in read(client.post(CLAIM, {"secret": secret}), 422).text
    assert RunState.objects.get(pk=run).owner.username.startswith("anonymous-")
    assert used_by(ada.pk).runs == 0
    open_site.QUOTAS = {**open_site.QUOTAS, "runs": None}
    assert claimed(client, secret) == 302


@pytest.mark.usefixtures("open_site")
def test_what_nobody_claims_is_deleted(client: Client, open_site: Any) -> None:
    open_site.ANONYMOUS_DAYS = 3
    old, new = upload(begun()), upload(begun())
    guest = RunState.objects.get(pk=old).owner
    make_user("anonymous-fan", date_joined=timezone.now() - timedelta(days=9))
    User.objects.filter(pk=guest.pk).update(date_joined=timezone.now() - timedelta(days=3, seconds=1))
    sweep_deleted_accounts()
    assert client.get(f"/runs/{old}/").status_code == 410
    assert client.get(f"/runs/{new}/").status_code == 200
    assert User.objects.filter(username="anonymous-fan", is_active=True).exists(), "the name makes no guest"


@pytest.mark.usefixtures("open_site")
def test_each_address_begins_few_and_each_upload_is_small(open_site: Any) -> None:
    open_site.ANONYMOUS_RATE = "2/d"
    secret = begun()
    begun()
    assert Client().post(TOKEN).status_code == Client().post(BEGIN).status_code == 429
    assert Client().post(TOKEN, REMOTE_ADDR="192.0.2.7").status_code == 201
    guest = Token.objects.matching(secret).get().owner
    assert dict(guest.own_quotas.values_list("quota", "most")) == {
        "runs": 200,
        "bytes": 64,
        "campaigns": 5,
        "machines": 5,
        "imports": 3,
    }


@pytest.mark.usefixtures("open_site")
def test_a_session_imports_and_does_nothing_else(client: Client) -> None:
    assert "Import without an account" in read(client.get("/import/")).text
    page = client.post(BEGIN, follow=True)
    secret = next(word for word in read(page).text.split() if word.startswith("bdb_"))
    assert secret not in client.get("/import/").content.decode(), "it is shown once"
    run = store_run(User.objects.get())
    begun_import = client.post("/import/", {"text": "x"})
    assert begun_import.status_code == 302
    assert client.get(begun_import["Location"]).status_code == 200

    for own in ("/account/", "/account/password/", "/account/second-factor/", "/plans/new/", f"/runs/{run.pk}/edit/"):
        assert client.get(own)["Location"].startswith("/login/"), own
    for sent in (
        "/account/",
        "/account/password/",
        "/share/",
        "/plans/new/",
        "/agent/",
        CLAIM,
        f"/runs/{run.pk}/edit/",
    ):
        assert client.post(sent, {"visibility": "private"}).status_code == 403, sent
    assert client.get("/login/").status_code == 200
    assert client.post(f"/runs/{run.pk}/delete/").status_code == 302


@pytest.mark.usefixtures("open_site")
def test_two_claims_at_once_move_the_runs_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second waits for the lock of the guest, who is closed by then."""
    secret = begun()
    upload(secret)
    found = claiming.find_token(secret)
    client.force_login(make_user("ada"))
    assert claimed(client, secret) == 302
    monkeypatch.setattr(claiming, "find_token", lambda secret: found)
    client.force_login(make_user("eve"))
    assert claimed(client, secret) == 422
