"""Forgotten passwords, and addresses that their owner confirms: a real mail server has the links."""

from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.models import User
from django.core import signing
from django.test import Client

from benchdb.audit.models import AuditEntry
from benchdb.identity.services import confirm_address, confirmed_address
from benchdb.web.sign_in.addresses import address_in
from tests.support.html import read
from tests.support.store import make_user
from tests.support.threads import at_once
from tests.web.account.test_second_factor import CODE, is_signed_in, sign_in, turned_on
from tests.web.sign_in.test_sign_up import DISGUISED, Inbox, newest_link, text_of
from tests.web.sign_in.test_sign_up import inbox as inbox  # fixtures
from tests.web.sign_in.test_sign_up import server as server

FORGOTTEN, ADDRESS = "/login/forgotten/", "/account/address/"
OLD, NEW = "correct-horse-9", "another-horse-9"
CHOSEN = {"new_password1": NEW, "new_password2": NEW}


@pytest.fixture
def ada(inbox: Inbox) -> User:
    """An account with a password and a confirmed address."""
    user = User.objects.create_user("ada", password=OLD)
    confirm_address(user, "Ada@example.org")
    return user


def link_for_password(client: Client, inbox: Inbox) -> str:
    """Ask for a link, and open it; the address of the form."""
    assert client.post(FORGOTTEN, {"address": "ada@example.org"})["Location"] == "/login/"
    return str(client.get(newest_link(inbox, "Ada@example.org"))["Location"])


def test_a_link_sets_a_new_password_once_and_ends_all_sessions(client: Client, inbox: Inbox, ada: User) -> None:
    elsewhere = Client()
    sign_in(elsewhere)
    assert client.post(FORGOTTEN, {"address": "ada@example.org"}).status_code == 302
    link = newest_link(inbox, "Ada@example.org")
    form = client.get(link)["Location"]
    assert "For the account ada." in read(client.get(form)).text
    assert "too short" in client.post(form, {"new_password1": "12345", "new_password2": "12345"}).content.decode()
    assert is_signed_in(elsewhere), "opening the link changes nothing"

    assert client.post(form, CHOSEN)["Location"] == "/login/"
    assert not is_signed_in(elsewhere)
    assert not is_signed_in(client)
    assert User.objects.get().check_password(NEW)
    entry = AuditEntry.objects.get()
    assert (entry.who, entry.action, entry.detail) == ("ada", "change_account", "password: set by a link in a mail")
    for used in (client, Client()):
        assert "This link is not valid" in read(used.get(link), 400).text
    assert client.post(form, CHOSEN).status_code == 400


@pytest.mark.django_db(transaction=True)
def test_of_sessions_with_one_link_one_sets_a_password(
    client: Client, inbox: Inbox, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each had looked at the link before one of them used it: of ten, seven set a password."""
    form, is_valid, everybody = link_for_password(client, inbox), SetPasswordForm.is_valid, Barrier(3)
    monkeypatch.setattr(SetPasswordForm, "is_valid", lambda self: is_valid(self) and everybody.wait(20) >= 0)
    answers = at_once([lambda: client.post(form, CHOSEN).status_code] * 3)
    assert (sorted(answers), AuditEntry.objects.count()) == ([302, 400, 400], 1)


def test_a_new_password_leaves_the_second_factor_on(client: Client, inbox: Inbox, ada: User) -> None:
    turned_on(Client(), ada)
    client.post(link_for_password(client, inbox), CHOSEN)
    assert client.post("/login/", {"username": "ada", "password": NEW})["Location"] == CODE
    assert not is_signed_in(client)


def test_every_address_is_answered_alike_and_only_confirmed_ones_get_a_mail(
    client: Client, inbox: Inbox, ada: User
) -> None:
    User.objects.create_user("eve", "eve@example.org", OLD)
    confirm_address(User.objects.create_user("closed", "", OLD, is_active=False), "closed@example.org")
    confirm_address(make_user("provided"), "provided@example.org")
    User.objects.filter(pk=ada.pk).update(email="moved@example.org")  # as an administrator does
    names = ("ada", "moved", "eve", "closed", "provided", "nobody")
    answers = [client.post(FORGOTTEN, {"address": f"{name}@example.org"}) for name in names]
    assert len({(answer.status_code, answer["Location"], answer.content) for answer in answers}) == 1
    assert inbox.mails.empty()
    for wrong in ("", "no-address", *DISGUISED):
        assert "mail address" in read(client.post(FORGOTTEN, {"address": wrong}), 422).text


@pytest.mark.parametrize("change", ["password", "address", "there and back", "time"])
@pytest.mark.parametrize("kind", ["to a password", "of an address"])
def test_a_link_ends(client: Client, inbox: Inbox, ada: User, kind: str, change: str, settings: Any) -> None:
    sign_in(client)
    client.post(ADDRESS if kind == "of an address" else FORGOTTEN, {"address": "Ada@example.org"})
    link = newest_link(inbox, "Ada@example.org")
    if change == "password":
        ada.set_password("third-horse-9")
        ada.save()
        client.force_login(ada)
    elif change == "time":
        settings.PASSWORD_RESET_TIMEOUT = -1
    else:
        confirm_address(ada, "new@example.org")
        if change == "there and back":
            confirm_address(ada, "Ada@example.org")
    assert client.get(link).status_code == 400


def test_a_new_address_counts_when_its_owner_has_confirmed_it(client: Client, inbox: Inbox, ada: User) -> None:
    client.force_login(ada)
    assert "Ada@example.org is confirmed" in read(client.get(ADDRESS)).text
    sent = {"address": "new@example.org", "password": OLD}
    assert "no mail address" in read(client.post(ADDRESS, {**sent, "address": "x"}), 422).text
    assert client.post(ADDRESS, sent)["Location"] == ADDRESS
    link = newest_link(inbox, "new@example.org")
    assert "new@example.org becomes" in read(client.get(link)).text
    assert confirmed_address(User.objects.get()) == "Ada@example.org", "opening the link changes nothing"

    assert client.post(link)["Location"] == ADDRESS
    assert confirmed_address(User.objects.get()) == "new@example.org"
    assert AuditEntry.objects.get().detail == "email: Ada@example.org → new@example.org, confirmed"
    told = inbox.newest()
    assert told["To"] == "Ada@example.org"
    assert "now has the mail address new@example.org" in text_of(told)
    assert client.get(link).status_code == client.post(link).status_code == 400


def test_a_link_confirms_for_its_account_only_and_no_address_of_another(
    client: Client, inbox: Inbox, ada: User
) -> None:
    eve = make_user("eve")  # whom a provider signs in: without a password
    client.force_login(eve)
    client.post(ADDRESS, {"address": "ada@example.org"})
    link = newest_link(inbox, "ada@example.org")
    assert Client().get(link)["Location"].startswith("/login/?next=")
    assert "Another account has this address" in read(client.post(link), 409).text
    client.force_login(make_user("bob"))
    assert client.post(link).status_code == 400
    assert address_in(signing.dumps([ada.pk, ada.email, "x@example.org"]), ada) is None, "of another purpose"
    assert confirmed_address(ada) == "Ada@example.org"


def test_a_link_has_no_port_that_its_asker_wrote(client: Client, inbox: Inbox, ada: User, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["testserver"]
    client.post(FORGOTTEN, {"address": "ada@example.org"}, headers={"host": "testserver:6666"})

    newest_link(inbox, "Ada@example.org")
