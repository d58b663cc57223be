"""Django's admin: for staff, without secrets, and with changes through the services of the apps."""

import re

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.test import Client

from benchdb.ingest.models import Token
from benchdb.publications.models import Publication
from benchdb.runs.models import RunState, Visibility
from tests.support.html import read
from tests.support.store import make_token, make_user, store_run

WORDS = ["Accounts", "Quotas", "Tokens", "Runs", "Machines", "Articles", "Audit trail"]
LISTS = (
    "auth/user",
    "audit/auditentry",
    "quotas/ownquota",
    "ingest/token",
    "runs/runstate",
    "publications/publication",
    "catalog/machine",
)


@pytest.fixture
def keeper(client: Client, owner: User) -> User:
    keeper = make_user("keeper", is_staff=True, is_superuser=True)
    client.force_login(keeper)
    return keeper


def test_who_is_signed_out_signs_in_where_everybody_does(client: Client, db: None) -> None:
    assert client.get("/admin/", follow=True).redirect_chain[-1][0] == "/login/?next=/admin/"


def test_who_is_not_staff_is_refused_and_not_sent_round(ada: Client) -> None:
    assert "You may not do this" in read(ada.get("/admin/", follow=True), 403).text
    assert "Admin" not in read(ada.get("/runs/")).links


def test_staff_find_it_at_the_foot_of_every_page(client: Client, keeper: User) -> None:
    links = read(client.get("/articles/")).links
    assert (links["Admin"], links["Status"]) == ("/admin/", "/status/")


@pytest.mark.parametrize("name", LISTS)
def test_every_list_and_its_first_entry_can_be_opened(client: Client, keeper: User, owner: User, name: str) -> None:
    store_run(owner)
    for address in (f"/admin/{name}/", f"/admin/{name}/?q=ada"):
        answer = client.get(address)
        assert answer.status_code == 200
        html = answer.content.decode()
        assert not re.search(r"<script(?![^>]*\b(src=|type=\"application/json\"))", html), address
        assert not re.search(r"<[^>]+\son[a-z]+=", html), address
        assert "script-src" not in answer["Content-Security-Policy"]
    for href in re.findall(rf'"(/admin/{name}/[^/"]+/change/)"', client.get(f"/admin/{name}/").content.decode())[:1]:
        assert client.get(href).status_code == 200


def test_it_speaks_our_words(client: Client, keeper: User, owner: User) -> None:
    store_run(owner)
    [kept] = client.get("/admin/").context["app_list"]
    assert [model["name"] for model in kept["models"]] == WORDS
    runs = read(client.get("/admin/runs/runstate/")).text
    for words in ("By withdrawal", "Counts", "1 run"):
        assert words in runs
    for words in ("run state", "Empty", "a.m.", "p.m."):
        assert words not in runs
    assert "<title>Accounts · BenchDB</title>" in client.get("/admin/auth/user/").content.decode()


def test_permissions_are_those_that_open_or_change_something(client: Client, keeper: User, owner: User) -> None:
    fields = client.get(f"/admin/auth/user/{owner.pk}/change/").context["adminform"].form.fields
    offered = set(fields["user_permissions"].queryset.values_list("codename", flat=True))
    assert {"view_user", "view_runstate", "change_runstate", "change_token"} <= offered
    assert not {"change_user", "change_machine", "delete_runstate", "view_session", "view_group"} & offered


def test_it_has_our_icon(client: Client, keeper: User) -> None:
    assert b'href="/static/favicon.svg"' in client.get("/admin/").content


def test_no_secret_and_no_digest_of_one_is_shown(client: Client, keeper: User, owner: User) -> None:
    token, secret = make_token(owner)
    for address in ("/admin/ingest/token/", f"/admin/ingest/token/{token.pk}/change/"):
        html = client.get(address).content.decode()
        assert secret not in html
        assert bytes(token.digest).hex() not in html
        assert "digest" not in html


@pytest.mark.parametrize(
    "asked",
    [
        "ingest/token/?digest__gt=a",
        "ingest/token/?owner__password__startswith=p",
        "auth/user/?password__startswith=p",
        "auth/user/?email__startswith=a",
        "runs/runstate/?run__results__metric=throughput",
    ],
)
def test_lists_are_filtered_by_what_they_offer_alone(client: Client, keeper: User, asked: str) -> None:
    assert client.get(f"/admin/{asked}").status_code == 400
    assert client.get("/admin/ingest/token/?default_visibility__exact=public&revoked_at__isempty=0").status_code == 200
    assert client.get("/admin/auth/user/?is_active__exact=1").status_code == 200


def test_tokens_are_revoked_and_it_is_logged(client: Client, keeper: User, owner: User) -> None:
    token, secret = make_token(owner)
    act(client, "/admin/ingest/token/", "revoke", token.pk)
    assert Token.objects.get(pk=token.pk).revoked_at is not None
    assert client.get("/api/v1/token", headers={"Authorization": f"Bearer {secret}"}).status_code == 401
    assert LogEntry.objects.get().user == keeper


def test_runs_are_withdrawn_with_a_reason_and_reinstated(client: Client, keeper: User, owner: User) -> None:
    run = store_run(owner)
    act(client, "/admin/runs/runstate/", "withdraw", run.pk)
    assert RunState.objects.get(pk=run.pk).withdrawn_at is None
    act(client, "/admin/runs/runstate/", "withdraw", run.pk, reason="the disk was failing")
    state = RunState.objects.get(pk=run.pk)
    assert (state.withdrawn_at is not None, state.withdrawn_reason) == (True, "the disk was failing")
    assert state.withdrawn_by_staff
    act(client, "/admin/runs/runstate/", "reinstate", run.pk)
    assert RunState.objects.get(pk=run.pk).withdrawn_at is None


@pytest.mark.parametrize("limit", Visibility)
@pytest.mark.parametrize("chosen", Visibility)
def test_runs_are_shown_to_fewer_people_and_never_to_more(
    client: Client, keeper: User, owner: User, chosen: Visibility, limit: Visibility
) -> None:
    run = store_run(owner, visibility=chosen)
    act(client, "/admin/runs/runstate/", f"make_{limit}", run.pk)
    state = RunState.objects.get(pk=run.pk)
    assert state.visibility == (chosen if limit in chosen.within() else limit)
    assert state.visibility_limit == (None if limit == "public" else limit)
    assert (client.get(f"/runs/{run.id}/").status_code == 404) == (state.visibility == "private")


def test_nothing_is_deleted_or_written_by_hand(client: Client, keeper: User, owner: User) -> None:
    run = store_run(owner)
    for name, pk in (("auth/user", owner.pk), ("runs/runstate", run.pk), ("catalog/machine", run.machine_id)):
        assert client.post(f"/admin/{name}/{pk}/delete/", {"post": "yes"}).status_code == 403
    assert client.get("/admin/ingest/token/add/").status_code == 403
    before = RunState.objects.values().get(pk=run.pk)
    client.post(f"/admin/runs/runstate/{run.pk}/change/", {"visibility": "private", "owner": keeper.pk})
    assert RunState.objects.values().get(pk=run.pk) == before


def test_an_account_is_made_and_closed(client: Client, keeper: User) -> None:
    form = {
        "username": "grace",
        "usable_password": "true",
        "password1": "battery staple",
        "password2": "battery staple",
    }
    client.post("/admin/auth/user/add/", form)
    assert Client().login(username="grace", password="battery staple")


def act(client: Client, address: str, action: str, chosen: object, **more: str) -> None:
    form = {"action": action, "_selected_action": str(chosen), **more}
    assert client.post(address, form, follow=True).status_code == 200


def test_staff_who_may_change_users_cannot_make_themselves_superusers(client: Client, owner: User) -> None:
    staff = make_user("staff", is_staff=True)
    staff.user_permissions.set(Permission.objects.filter(content_type__model="user"))
    client.force_login(staff)
    address = f"/admin/auth/user/{staff.pk}/"

    assert client.get(f"{address}change/").status_code == 200
    dates = {"date_joined_0": "2026-01-01", "date_joined_1": "00:00:00"}
    answer = client.post(f"{address}change/", {"username": "staff", "is_staff": "on", "is_superuser": "on", **dates})
    assert answer.status_code == 403
    assert not User.objects.get(pk=staff.pk).is_superuser
    passwords = {"usable_password": "true", "password1": "correct-horse-9", "password2": "correct-horse-9"}
    assert client.post(f"/admin/auth/user/{owner.pk}/password/", passwords).status_code == 403
    assert client.post("/admin/auth/user/add/", {"username": "mallory", **passwords}).status_code == 403


def test_staff_without_permissions_are_shown_nobodys_things(client: Client, owner: User) -> None:
    run = store_run(owner, visibility="private")
    client.force_login(make_user("staff", is_staff=True))

    for name in LISTS:
        assert client.get(f"/admin/{name}/").status_code == 403
    assert client.get(f"/admin/runs/runstate/{run.pk}/change/").status_code == 403
    assert client.get(f"/runs/{run.pk}/").status_code == 404


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize(
    "parameter", ["state", "q", "o", "p", "visibility", "withdrawn_at__isempty", "e", "all", "%00"]
)
def test_no_parameter_of_a_list_makes_it_fail(client: Client, keeper: User, name: str, parameter: str) -> None:
    assert client.get(f"/admin/{name}/?{parameter}=%00").status_code == 400
    assert client.get(f"/admin/{name}/?{parameter}=%ED%A0%80", follow=True).status_code < 500


@pytest.mark.parametrize("key", ["%00", "x", "99999999999999999999", "%ED%A0%80"])
def test_what_is_not_there_is_not_found(client: Client, keeper: User, key: str) -> None:
    for name in LISTS:
        answer = client.get(f"/admin/{name}/{key}/change/", follow=True)
        assert answer.status_code == 200
        assert "exist" in answer.content.decode()


def test_an_article_leads_to_its_page(client: Client, keeper: User) -> None:
    fields = {
        "ordinal": 1,
        "title": "T2",
        "authors": "A. Writer",
        "year": 2009,
        "citation": "A. Writer: T2",
        "plan": "t2",
    }
    Publication.objects.create(slug="t2", **fields)
    assert "/articles/t2/" in read(client.get("/admin/publications/publication/t2/change/")).links.values()
