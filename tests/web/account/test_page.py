"""The account: create, use and revoke tokens; the reader's own objects; the password."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from benchdb.compare.permalinks.services import share
from benchdb.ingest.models import Scope, Token
from tests.conftest import Upload
from tests.support.api import error_of
from tests.support.comparing.comparisons import compared_runs, ids
from tests.support.documents import document
from tests.support.html import read
from tests.support.imports import IOZONE, ROUNDS, begun, given
from tests.support.store import make_token, make_user
from tests.texts import missing_in

SECRET = re.compile(r"bdb_[\w-]{43}")
FORM = {"name": "ci", "scopes": ["upload", "read"], "visibility": "unlisted", "lasts": "90"}


def state_of(client: Client, secret: str) -> int:
    return client.get("/api/v1/token", headers={"Authorization": f"Bearer {secret}"}).status_code


def test_a_token_is_made_shown_once_used_revoked_and_refused(ada: Client, owner: User, upload: Upload) -> None:
    answer = ada.post("/account/", FORM, follow=True)
    assert answer.redirect_chain == [("/account/", 302)]  # reloading the page sends no form
    [secret] = set(SECRET.findall(answer.content.decode()))
    assert "no-store" in answer["Cache-Control"]
    token = Token.objects.get(name="ci")
    assert (token.owner, token.scopes, token.default_visibility) == (owner, ["upload", "read"], "unlisted")
    assert timedelta(days=89) < token.expires_at - timezone.now() < timedelta(days=90)

    assert upload(document(), secret=secret).status_code == 201
    page = read(ada.get("/account/"))
    assert secret not in page.text
    line = next(row for row in page.tables["token-list"] if row[0].text == "ci")
    assert [cell.text for cell in line[2:4]] == ["upload, read", "valid"]
    assert line[4].text != "never"

    asked = read(ada.get(page.links["Revoke"]))
    assert "cannot be undone" in asked.text
    told = read(ada.post(f"/account/tokens/{token.pk}/revoke/", follow=True))
    assert "The token “ci” is revoked." in told.text
    refused = error_of(upload(document(), secret=secret), 401)
    assert not missing_in(refused["message"], "This token was revoked on ", "http://testserver/account/")
    assert "revoked" in next(row for row in told.tables["token-list"] if row[0].text == "ci")[3].text


def test_a_new_token_is_shown_to_nobody_else(ada: Client, client: Client) -> None:
    ada.post("/account/", FORM)
    client.force_login(make_user("eve"))
    client.cookies["new-token"] = ada.cookies["new-token"].value
    assert not SECRET.search(client.get("/account/").content.decode())


def test_a_form_that_is_sent_again_makes_no_second_token(ada: Client, owner: User) -> None:
    make_token(make_user("eve"), Scope.UPLOAD)  # with the same name "agent", because names of other users do not matter
    sent = {**FORM, "name": "agent", "scopes": ["read", "read"]}
    ada.post("/account/", sent)

    again = ada.post("/account/", sent)

    assert "A valid token of yours has this name." in read(again, 422).text
    assert not SECRET.search(again.content.decode())
    token = Token.objects.get(owner=owner)
    assert token.scopes == ["read"]
    ada.post(f"/account/tokens/{token.pk}/revoke/")
    assert ada.post("/account/", sent).status_code == 302


@pytest.mark.parametrize(
    ("is_active", "reason"), [(True, "This token expired on "), (False, "The account of this token is closed.")]
)
def test_a_token_that_ended_is_refused_with_the_reason(ada: Client, owner: User, is_active: bool, reason: str) -> None:
    _, secret = make_token(owner, expires_at=timezone.now() - timedelta(seconds=1) if is_active else None)
    assert ("expired" in read(ada.get("/account/")).text) is is_active
    User.objects.filter(pk=owner.pk).update(is_active=is_active)
    error = error_of(ada.get("/api/v1/token", headers={"Authorization": f"Bearer {secret}"}), 401)
    assert reason in error["message"]


def test_a_token_for_good_never_expires(ada: Client) -> None:
    ada.post("/account/", {**FORM, "lasts": "never"})
    assert Token.objects.get(name="ci").expires_at is None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": ""}, "Say what it is for."),
        ({"name": "a\x00b"}, "Null characters are not allowed."),
        (
            {"name": "a\u202eb"},
            "It must be visible text without control characters and marks that change the direction",
        ),
        ({"name": "x" * 201}, "at most 200 characters"),
        ({"scopes": []}, "Choose what it may do"),
        ({"scopes": ["upload", "rule"]}, "It is one of upload, read, queue, serve."),
        ({"visibility": "secret"}, "It is one of private, unlisted, public."),
        ({"lasts": "-1"}, "It is one of 30, 90, 365, never."),
    ],
)
def test_a_faulty_form_comes_back_with_what_was_entered(ada: Client, changes: dict[str, object], message: str) -> None:
    answer = ada.post("/account/", {**FORM, **changes})
    page = read(answer, 422)
    assert message in page.text
    assert not SECRET.search(answer.content.decode())
    assert not Token.objects.exists()
    if "name" not in changes:
        assert "ci" in page.fields["name"]


def test_what_others_wrote_is_shown_as_text(ada: Client) -> None:
    answer = ada.post("/account/", {**FORM, "name": "<script>alert(1)</script>"}, follow=True)
    assert b"<script>alert" not in answer.content
    assert "<script>alert(1)</script>" in read(ada.get("/account/")).text


def test_another_user_can_neither_see_nor_revoke_it(client: Client, owner: User) -> None:
    token, secret = make_token(owner)
    Token.objects.filter(pk=token.pk).update(name="secret of ada")
    client.force_login(make_user("eve"))
    assert "secret of ada" not in read(client.get("/account/")).text
    address = f"/account/tokens/{token.pk}/revoke/"
    assert (client.get(address).status_code, client.post(address).status_code) == (404, 404)
    assert state_of(client, secret) == 200


@pytest.mark.parametrize("address", ["/account/", "/account/password/", "/account/tokens/1/revoke/"])
def test_who_is_signed_out_is_asked_to_sign_in(client: Client, db: None, address: str) -> None:
    answer = client.get(address)
    assert (answer.status_code, answer["Location"]) == (302, f"/login/?next={address}")


def test_a_form_that_is_not_ours_is_refused(owner: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(owner)
    assert strict.post("/account/", FORM).status_code == 403
    assert not Token.objects.exists()


def test_revoking_twice_keeps_the_first_time(ada: Client, owner: User) -> None:
    token, _ = make_token(owner)
    address = f"/account/tokens/{token.pk}/revoke/"
    ada.post(address)
    first = Token.objects.get(pk=token.pk).revoked_at
    ada.post(address)
    assert Token.objects.get(pk=token.pk).revoked_at == first
    assert "It was revoked already" in read(ada.get(address)).text


def test_what_is_ones_own_is_linked(ada: Client, owner: User) -> None:
    link, _ = share(owner, "table", ids(compared_runs(owner)))
    imported = begun(owner, *given(IOZONE, ROUNDS))
    page = read(ada.get(read(ada.get("/runs/")).links["Account"]))
    assert page.links[link.content["title"]] == link.get_absolute_url()
    assert page.links["All my permalinks"] == "/permalinks/"
    assert page.links[f"{ROUNDS} and 1 more, ready"] == imported.get_absolute_url()
    assert (page.links["Import raw output"], page.links["All queued plans"]) == ("/import/", "/plans/")


def test_an_account_without_anything_says_what_to_do(ada: Client) -> None:
    text = read(ada.get("/account/")).text
    assert not missing_in(
        text, "You have no token.", "You have shared nothing yet", "Nothing was imported yet", "Nothing is queued"
    )


def test_many_tokens_take_as_many_queries_as_one(ada: Client, owner: User) -> None:
    counts = []
    for _ in range(2):
        make_token(owner, *Scope)
        with CaptureQueriesContext(connection) as queries:
            ada.get("/account/")
        counts.append(len(queries))
        for _ in range(5):
            make_token(owner)
    assert counts[0] == counts[1]


def test_tokens_that_are_valid_stand_first(ada: Client, owner: User) -> None:
    later, earlier = timezone.now() + timedelta(days=1), timezone.now() - timedelta(days=1)
    for name, fields in {
        "for good": {},
        "valid": {"expires_at": later},
        "expired": {"expires_at": earlier},
        "revoked": {"revoked_at": earlier},
        "both": {"revoked_at": earlier, "expires_at": later},
    }.items():
        token, _ = make_token(owner)
        Token.objects.filter(pk=token.pk).update(name=name, **fields)
    rows = read(ada.get("/account/")).tables["token-list"][1:]
    assert [row[0].text for row in rows] == ["valid", "for good", "both", "revoked", "expired"]


def test_the_password_is_changed_and_others_sessions_end(client: Client, owner: User) -> None:
    owner.set_password("correct horse")
    owner.save()
    elsewhere = Client()
    assert client.login(username="ada", password="correct horse")
    assert elsewhere.login(username="ada", password="correct horse")
    form = {"old_password": "correct horse", "new_password1": "battery staple", "new_password2": "battery staple"}
    wrong = read(client.post("/account/password/", {**form, "old_password": "x", "new_password2": "y"}))
    assert not missing_in(wrong.text, "old password was entered incorrectly", "password fields didn’t match")
    assert "too common" in read(client.post("/account/password/", {**form, **same("password")})).text
    assert "Your password is changed." in read(client.post("/account/password/", form, follow=True)).text
    assert read(client.get("/account/"))
    assert elsewhere.get("/account/").status_code == 302


def same(password: str) -> dict[str, str]:
    return {"new_password1": password, "new_password2": password}
