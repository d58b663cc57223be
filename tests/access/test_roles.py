"""A change of role applies at once, to sessions and tokens alike."""

from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from benchdb.ingest.models import Scope, Token
from benchdb.roles import Role, role_of, set_role
from tests.conftest import Upload
from tests.support.api import error_of
from tests.support.documents import document
from tests.support.html import read
from tests.support.store import make_token, make_user, store_run
from tests.texts import missing_in


@pytest.mark.parametrize("role", Role)
def test_a_role_is_given_and_read_back_whatever_it_was(owner: User, role: Role) -> None:
    for before in Role:
        set_role(owner, before)
        set_role(owner, role)
        assert role_of(User.objects.get(pk=owner.pk)) == role


def test_the_command_gives_and_prints_it(owner: User) -> None:
    output = StringIO()
    call_command("role", "ada", "maintainer", stdout=output)
    call_command("role", "ada", stdout=output)
    assert output.getvalue().split() == ["maintainer", "maintainer"]
    with pytest.raises(CommandError, match="no user 'nobody'"):
        call_command("role", "nobody", "viewer")


def test_tokens_of_who_became_a_viewer_read_and_no_more(upload: Upload, client: Client, owner: User) -> None:
    run = store_run(owner, visibility="private")
    set_role(owner, Role.VIEWER)

    _, secret = make_token(owner, *Scope)
    assert "is read-only" in error_of(upload(document(), secret=secret), 403)["message"]
    bearer = {"Authorization": f"Bearer {secret}"}
    assert client.get(f"/api/v1/runs/{run.pk}", headers=bearer).status_code == 200
    assert client.delete(f"/api/v1/runs/{run.pk}", headers=bearer).status_code == 403
    set_role(owner, Role.CONTRIBUTOR)
    assert upload(document(), secret=secret).status_code == 201


def test_a_viewer_is_offered_nothing_that_would_be_refused(client: Client, owner: User) -> None:
    run = store_run(owner)
    viewer = make_user("vera")
    client.force_login(viewer)
    assert "Share" in read(client.get(f"/compare/?run={run.pk}")).text
    set_role(viewer, Role.VIEWER)
    page = read(client.get(f"/compare/?run={run.pk}"))
    assert missing_in(page.text, "Share", "Sign in to share") == ["Share", "Sign in to share"]


@pytest.mark.parametrize("role", [Role.VIEWER, Role.CONTRIBUTOR])
def test_no_page_leads_a_viewer_to_a_form_that_they_may_not_send(ada: Client, owner: User, role: Role) -> None:
    store_run(make_user("eve"))
    set_role(owner, role)
    pages = [read(ada.get(address)) for address in ("/", "/runs/", "/agent/", "/account/", "/plans/", "/runs/?q=no")]
    led = {href for page in pages for href in page.links.values()}
    offered = {"/import/", "/plans/new/"} & led, "Make a token" in pages[2].text
    assert offered == ((set(), False) if role == Role.VIEWER else ({"/import/", "/plans/new/"}, True))


def test_admins_give_roles_to_others_and_not_to_themselves(client: Client, owner: User) -> None:
    admin = make_user("root", is_staff=True, is_superuser=True)
    client.force_login(admin)

    def make(role: str, *users: User) -> None:
        chosen = {"action": f"make_{role}", "_selected_action": [str(user.pk) for user in users]}
        assert client.post("/admin/auth/user/", chosen, follow=True).status_code == 200

    make("viewer", owner)
    assert role_of(owner) == Role.VIEWER
    make("viewer", owner, admin)
    assert role_of(User.objects.get(pk=admin.pk)) == Role.ADMIN
    assert "viewer" in read(client.get("/admin/auth/user/")).text

    set_role(owner, Role.MAINTAINER)
    client.force_login(owner)
    make("admin", owner)
    assert role_of(User.objects.get(pk=owner.pk)) == Role.MAINTAINER


# Addresses that are readable without an account even if only accounts may read.
OPEN = ("/login/", "/agent/benchagent.pyz", "/agent/benchagent.pyz.sha256", "/docs/tutorial/", "/healthz")


@pytest.fixture
def for_accounts(settings: Any) -> None:
    settings.READERS = "accounts"


@pytest.mark.usefixtures("for_accounts")
def test_nothing_is_read_without_an_account(client: Client, owner: User) -> None:
    run = store_run(owner)
    _, secret = make_token(owner, Scope.READ)
    former, revoked = make_token(owner, Scope.READ)
    Token.objects.filter(pk=former.pk).update(revoked_at=timezone.now())
    pages = ("/", f"/runs/{run.pk}/", f"/compare/table.json?run={run.pk}", "/c/aaaaaaaaaaaaaaaa/embed", "/agent/")

    for page in pages:
        answer = client.get(page)
        assert (answer.status_code, answer["Location"][:7]) == (302, "/login/"), page
    for address in (f"/api/v1/runs/{run.pk}", "/api/v1/openapi.json", "/api/v1/schemas/run/1"):
        for token in ("", "Bearer nothing", f"Bearer {revoked}"):
            assert error_of(client.get(address, headers={"Authorization": token}), 401)["code"] == "unauthorized"
        assert error_of(client.get(address), 401)["code"] == "unauthorized"
        assert client.get(address, headers={"Authorization": f"Bearer {secret}"}).status_code == 200
    assert [client.get(address).status_code for address in OPEN] == [200] * len(OPEN)
    assert client.get(f"/api/v1/runs/{run.pk}", headers={"Authorization": f"Bearer {secret}"}).status_code == 200
    assert client.get(f"/api/v1/runs/{run.pk}", headers={"Authorization": "Bearer nothing"}).status_code == 401
    client.force_login(owner)
    assert [client.get(page).status_code for page in pages] == [200, 200, 200, 404, 200]


@pytest.mark.usefixtures("for_accounts")
def test_a_form_that_lost_its_session_leads_to_the_sign_in_page(client: Client, db: None) -> None:
    assert client.post("/share/", {"query": "x"})["Location"] == "/login/?next=/"
