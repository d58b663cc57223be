"""Accounts that people make with their mail address: a real mail server receives the link."""

import email
import re
import time
from collections.abc import Iterator
from email.message import Message
from queue import Queue
from smtplib import SMTPDataError, SMTPRecipientsRefused
from typing import Any
from unittest.mock import Mock
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from celery.exceptions import SoftTimeLimitExceeded
from django.contrib.auth.models import User
from django.core import signing
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone

from benchdb.celery import app, turn
from benchdb.connections import outbox
from benchdb.identity.models import AccountMail, Identity
from benchdb.identity.names import is_free
from benchdb.identity.services import confirm_address
from benchdb.web.account.leaving import leave
from benchdb.web.sign_in import sign_up
from benchdb.web.tasks import send_account_mails
from tests.browser.support.provider import free_port
from tests.support.caches import empty_caches
from tests.support.html import read
from tests.support.store import make_user

GOOD = {"name": "grace", "password": "correct-horse-9", "again": "correct-horse-9"}


class Inbox:
    """The mails that a server has received."""

    def __init__(self) -> None:
        self.mails: Queue[Message] = Queue()

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's
        """Keep a mail."""
        assert isinstance(envelope.content, bytes)
        self.mails.put(email.message_from_bytes(envelope.content))
        return "250 OK"

    def newest(self) -> Message:
        """The mail that was sent last; the sender has waited for the server's answer."""
        return self.mails.get(timeout=20)


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[Inbox, int]]:
    inbox = Inbox()
    port = free_port()
    controller = Controller(inbox, hostname="127.0.0.1", port=port)
    controller.start()
    yield inbox, port
    controller.stop()


@pytest.fixture
def inbox(server: tuple[Inbox, int], settings: Any, db: None, monkeypatch: pytest.MonkeyPatch) -> Inbox:
    """A site with sign-up. Its worker is this process, at the moment when the task is sent."""
    inbox, port = server
    inbox.mails = Queue()
    settings.SIGN_UP, settings.SIGN_UP_DOMAINS = "mail", ""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.DEFAULT_FROM_EMAIL = "127.0.0.1", port, "bench@example.org"
    settings.CACHES = empty_caches()
    monkeypatch.setattr(app, "send_task", lambda name: app.tasks[name]())
    return inbox


DISGUISED = ('"a b"@example.org', "=?utf-8?q?a?=@example.org", "ä@example.org")  # the same mailbox in other words


def link_for(client: Client, inbox: Inbox, address: str = "grace@example.org") -> str:
    """Ask for a link; its path and query."""
    assert client.post("/sign-up/", {"address": address})["Location"] == "/sign-up/sent/"
    return newest_link(inbox, address)


def newest_link(inbox: Inbox, to: str) -> str:
    """The path and query of the link in the newest mail, which went to this address."""
    mail = inbox.newest()
    assert (mail["To"], mail["From"]) == (to, "bench@example.org")
    link = urlsplit(re.findall(r"https?://\S+/\S+", text_of(mail))[-1])
    assert link.netloc == "testserver"
    return f"{link.path}?{link.query}"


def text_of(mail: Message) -> str:
    content = mail.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode()


def test_a_link_makes_one_account(client: Client, inbox: Inbox, caplog: pytest.LogCaptureFixture) -> None:
    link = link_for(client, inbox)
    assert client.get(link)["Location"] == "/sign-up/account/"
    assert not User.objects.exists(), "scanners of mails open links"
    before = client.session.session_key
    answer = client.post("/sign-up/account/", GOOD)
    assert (answer.status_code, answer["Location"]) == (302, "/account/")
    assert client.session.session_key != before
    user = User.objects.get(username="grace")
    assert (user.email, user.is_staff, user.check_password(GOOD["password"])) == ("grace@example.org", False, True)

    other = Client()
    assert other.get(link).status_code == 302
    assert other.post("/sign-up/account/", {**GOOD, "name": "again"}).status_code == 400
    assert User.objects.count() == 1
    assert link.partition("token=")[2] not in caplog.text
    assert client.get("/sign-up/")["Location"] == "/account/"


def test_an_address_with_an_account_is_answered_alike(client: Client, inbox: Inbox) -> None:
    make_user("ada", email="Ada@example.org")
    answers = [client.post("/sign-up/", {"address": address}) for address in ("ada@example.org", "new@example.org")]
    first, second = ((answer.status_code, answer["Location"], answer.content) for answer in answers)
    assert first == second
    there, new = text_of(inbox.newest()), text_of(inbox.newest())
    assert "already: ada" in there
    assert "token=" not in there
    assert "token=" in new


@pytest.mark.parametrize(
    "token",
    ["", "x", signing.dumps("grace@example.org"), signing.dumps("grace@elsewhere.org", salt=sign_up.SALT)],
    ids=["none", "no token", "of another purpose", "of another domain"],  # tokens have the time: no names of tests
)
def test_links_of_others_prove_nothing(token: str, client: Client, inbox: Inbox, settings: Any) -> None:
    settings.SIGN_UP_DOMAINS = "example.org"
    answers = client.get("/sign-up/confirm/", {"token": token}), client.get("/sign-up/account/")
    assert [answer.status_code for answer in (*answers, client.post("/sign-up/account/", GOOD))] == [400] * 3
    assert not User.objects.exists()


def test_a_link_is_valid_for_a_day(inbox: Inbox, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("django.core.signing.time.time", lambda: 0)
        old = signing.dumps("grace@example.org", salt=sign_up.SALT)
    assert sign_up.address_in(old) is None


def test_only_allowed_domains(client: Client, inbox: Inbox, settings: Any) -> None:
    settings.SIGN_UP_DOMAINS = "example.org,lab.example.com"
    for address in (
        "a@evil.org",
        "a@sub.example.org",
        "a@example.org.evil.org",
        "no-address",
        "a@example.org\nBcc: b",
        *DISGUISED,
    ):
        assert client.post("/sign-up/", {"address": address}).status_code == 422, address
    assert (
        "Only addresses of example.org, lab.example.com"
        in read(client.post("/sign-up/", {"address": "a@b.de"}), 422).text
    )
    link_for(client, inbox, "a@LAB.example.com")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"name": "ADA"}, "This name is taken"),
        ({"name": "publications"}, "This name is taken"),
        ({"name": "root"}, "This name is taken"),
        ({"name": "a-d-a"}, "This name is taken"),
        ({"name": "\N{CYRILLIC SMALL LETTER A}dmin"}, "It may have letters"),
        ({"name": "a b"}, "It may have letters"),
        ({"password": "12345", "again": "12345"}, "too short"),
        ({"password": "grace-1", "again": "grace-1"}, "too similar"),
        ({"again": "another-horse-9"}, "The two passwords are different"),
        ({"password": "", "again": ""}, "Choose a password"),
    ],
)
def test_names_and_passwords_have_rules(changed: dict[str, str], said: str, client: Client, inbox: Inbox) -> None:
    make_user("ada")
    client.get(link_for(client, inbox))
    answer = client.post("/sign-up/account/", {**GOOD, **changed})
    assert said in read(answer, 422).text
    assert GOOD["password"] not in answer.content.decode()
    assert client.post("/sign-up/account/", GOOD).status_code == 302


@pytest.mark.parametrize("page", ["/sign-up/", "/login/forgotten/"])
def test_mails_are_limited_by_address_of_mail_and_of_network(
    page: str, client: Client, inbox: Inbox, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    confirm_address(User.objects.create_user("grace", "", GOOD["password"]), "grace@example.org")
    settings.MAIL_RATE, now = "4/h", time.time()
    monkeypatch.setattr(time, "time", lambda: now)
    for stranger in range(12):
        client.post(page, {"address": "Grace@example.org"}, REMOTE_ADDR=f"192.0.2.{stranger % 4}")
    assert inbox.mails.qsize() == 2
    monkeypatch.setattr(time, "time", lambda: now + 3600)
    assert [client.post(page, {"address": "grace@example.org"}).status_code for _ in range(5)] == [*[302] * 4, 429]
    assert inbox.mails.qsize() == 4, "strangers have not used up all of the day"


def test_a_mail_that_waits_in_the_turn_of_a_stranger_comes_in_that_of_its_owner(
    client: Client, inbox: Inbox, settings: Any
) -> None:
    settings.MAIL_ADDRESS_RATE = "1/h"
    with turn("mails"):
        for network, address in (("192.0.2.1", "grace"), ("192.0.2.2", "Grace"), ("192.0.2.3", "eve")):
            client.post("/sign-up/", {"address": f"{address}@example.org"}, REMOTE_ADDR=network)
    assert [*AccountMail.objects.order_by("pk").values_list("asker", flat=True)] == ["192.0.2.2", "192.0.2.3"]


def test_a_deleted_account_frees_its_address(client: Client, inbox: Inbox) -> None:
    client.get(link_for(client, inbox))
    client.post("/sign-up/account/", GOOD)
    leave(User.objects.get())
    assert not Identity.objects.exists()
    assert is_free("grace")
    assert "token=" in link_for(Client(), inbox)


def send(address: str, asker: str = "192.0.2.1") -> AccountMail:
    """The mail after one sweep."""
    mail = AccountMail.objects.create(kind="sign-up", address=address, site="http://testserver", asker=asker)
    send_account_mails()
    return AccountMail.objects.get(pk=mail.pk)


@pytest.mark.parametrize(
    ("answer", "failure", "waits"),
    [
        (SoftTimeLimitExceeded(), "did not take the mail in time", True),
        (SMTPRecipientsRefused({"x": (450, b"later")}), "later", True),
        (SMTPRecipientsRefused({"x": (550, b"no such user")}), "no such user", False),
        (SMTPDataError(550, "no such user"), "no such user", False),
    ],
)
def test_a_mail_that_is_not_taken_waits_or_is_given_up_and_others_are_sent(
    answer: Exception, failure: str, waits: bool, inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(EmailMessage, "send", Mock(side_effect=answer))
        mail = send(f"grace@{uuid4().hex}.example")
    assert failure in mail.failure
    assert (mail.due_at is not None) is waits
    send("grace@example.org")
    assert inbox.newest()["To"] == "grace@example.org"


@pytest.mark.parametrize("answer", [None, SMTPRecipientsRefused({"x": (550, b"no such user")})])
def test_the_asker_of_a_slow_mail_comes_last(
    answer: Exception | None, inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(outbox, "SLOW_SECONDS", 0)  # so that each one is slow
        patched.setattr(EmailMessage, "send", Mock(side_effect=answer))
        send("slow@example.org")
    waiting = {"kind": "sign-up", "site": "http://testserver"}
    AccountMail.objects.update(seconds=60)
    AccountMail.objects.create(address="slow@example.org", asker="192.0.2.1", **waiting)
    with turn("mails"):
        send("grace@example.org", "192.0.2.2")
    assert inbox.mails.empty(), "one process sends"
    monkeypatch.setattr(outbox, "SECONDS_FOR_SLOW", 0)
    send_account_mails()
    assert (inbox.newest()["To"], inbox.mails.empty()) == ("grace@example.org", True)


def test_a_server_that_is_away_rests_for_all_and_the_mails_wait(inbox: Inbox, settings: Any) -> None:
    settings.EMAIL_PORT, port = free_port(), settings.EMAIL_PORT
    for number, said in enumerate(("refused", "not asked again yet")):
        mail = send(f"{number}@example.org", f"192.0.2.{number}")
        assert mail is not None
        assert said in mail.failure
    settings.EMAIL_PORT = port
    AccountMail.objects.update(due_at=timezone.now())
    send_account_mails()
    assert {inbox.newest()["To"] for _ in range(2)} == {"0@example.org", "1@example.org"}


def test_opening_a_link_counts_as_writing_and_its_session_ends_soon(
    client: Client, inbox: Inbox, settings: Any
) -> None:
    confirm_address(User.objects.create_user("grace", "", GOOD["password"]), "grace@example.org")
    client.post("/login/forgotten/", {"address": "grace@example.org"})
    settings.ADDRESS_RATE, link = "1/d", newest_link(inbox, "grace@example.org")
    for network, opened in (("192.0.2", link), ("198.51.100", link_for(client, inbox, "new@example.org"))):
        assert [Client().get(opened, REMOTE_ADDR=f"{network}.1").status_code for _ in range(2)] == [302, 429]
        client.get(opened, REMOTE_ADDR=f"{network}.2")
        assert client.session.get_expiry_age() == 3600
    client.post("/sign-up/account/", {**GOOD, "name": "ada"}, REMOTE_ADDR="192.0.2.3")
    assert client.session.get_expiry_age() == settings.SESSION_COOKIE_AGE
