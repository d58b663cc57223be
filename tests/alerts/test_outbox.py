"""Notifications: mails by a real mail server, webhooks by a real HTTP server, kills, failures and mutes."""

import os
import signal
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from benchdb.alerts import outbox as alerts_outbox
from benchdb.alerts.models import Alert, Channel, Notice, Watch
from benchdb.alerts.outbox import notify
from benchdb.alerts.services import mute
from benchdb.alerts.tasks import send_due, sweep
from benchdb.alerts.webhooks import payload
from benchdb.connections import outbox
from benchdb.identity.services import confirm_address
from tests.alerts.receiver import Receiver, receiving
from tests.alerts.watched import confirmed, suspected
from tests.support.store import make_user
from tests.support.threads import at_once


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    """A receiver on this machine, which the site allows."""
    settings.WEBHOOKS = "private"
    with receiving() as started:
        yield started


def due_again() -> None:
    """Let the waiting notifications be due."""
    Notice.objects.filter(sent_at=None).exclude(due_at=None).update(due_at=timezone.now() - timedelta(seconds=1))


@pytest.mark.django_db
def test_a_confirmed_alert_is_sent_once_with_a_valid_signature(owner: User, receiver: Receiver) -> None:
    alert = confirmed(owner, webhook=receiver.url)

    assert (send_due(), send_due()) == (1, 0)

    [content] = receiver.verified(alert.watch.secret)
    assert (content["type"], content, content["data"]["kind"]) == ("alert.confirmed", payload(alert), "worse")
    assert content["data"]["causes"][0]["restored"] is True
    assert content["data"]["alert"].endswith(f"/alerts/{alert.pk}/")
    notice = Notice.objects.get()
    assert receiver.ids() == [str(notice.pk)]
    assert (notice.attempts, notice.failure, notice.due_at) == (1, "", None)
    assert notice.sent_at is not None


@pytest.mark.django_db
def test_a_failure_is_tried_again_later_with_the_same_id(owner: User, receiver: Receiver) -> None:
    confirmed(owner, webhook=receiver.url)
    receiver.answers = [500, 307]

    assert send_due() == 1
    notice = Notice.objects.get()
    assert (notice.sent_at, notice.failure) == (None, "The answer was 500.")
    assert notice.due_at is not None
    assert timedelta(seconds=20) < notice.due_at - timezone.now() <= timedelta(seconds=30)
    due_again()
    send_due()
    assert "307, a redirect" in Notice.objects.get().failure
    due_again()
    send_due()

    assert (len(set(receiver.ids())), len(receiver.received)) == (1, 3)
    notice = Notice.objects.get()
    assert (notice.attempts, notice.failure) == (3, "")


@pytest.mark.django_db
def test_it_is_given_up_after_ten_attempts(owner: User, receiver: Receiver) -> None:
    confirmed(owner, webhook=receiver.url)
    receiver.answers = [503] * 20
    for _ in range(12):
        due_again()
        send_due()
    notice = Notice.objects.get()
    assert (notice.attempts, notice.due_at, notice.sent_at) == (outbox.MOST_ATTEMPTS, None, None)
    assert len(receiver.received) == outbox.MOST_ATTEMPTS


@pytest.mark.django_db(transaction=True)
def test_a_sender_that_is_killed_after_the_request_repeats_it_with_the_same_id(
    owner: User, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    confirmed(owner, webhook=receiver.url)
    connection.close()  # the child needs one of its own
    child = os.fork()
    if child == 0:
        monkeypatch.setattr(QuerySet, "update", lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL))
        send_due()
        os._exit(0)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    assert (len(receiver.received), Notice.objects.get().sent_at) == (1, None)

    assert send_due() == 0  # until the end of its lease
    due_again()
    assert send_due() == 1
    assert (len(receiver.received), len(set(receiver.ids()))) == (2, 1)


@pytest.mark.django_db(transaction=True)
def test_a_notice_that_is_being_sent_can_be_deleted(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    confirmed(owner, webhook="https://example.org/")
    monkeypatch.setattr(alerts_outbox, "deliver", lambda _: at_once([lambda: Notice.objects.all().delete()]))

    assert send_due() == 1

    assert not Notice.objects.exists()


@pytest.mark.django_db
def test_a_muted_watch_notifies_nobody(owner: User, receiver: Receiver) -> None:
    alert = suspected(owner, webhook=receiver.url)
    mute(alert.watch, 7)
    notify(alert)
    assert not Notice.objects.exists()
    mute(alert.watch, 0)
    notify(alert)
    assert Notice.objects.count() == 1


@pytest.mark.django_db
def test_a_mail_names_the_change_the_measurement_and_the_causes(owner: User, settings: Any) -> None:
    settings.DEFAULT_FROM_EMAIL = "bench@example.org"
    confirm_address(owner, "ada@example.org")
    alert = confirmed(owner, mail=True, name="ext4 nightly")

    assert send_due() == 1

    [message] = mail.outbox
    assert (message.subject, message.to) == ("ext4 nightly: worse, confirmed", ["ada@example.org"])
    assert message.extra_headers == {"Message-ID": f"<{Notice.objects.get().pk}@benchdb>"}
    for part in (alert.change, alert.reason, "mount options none of these → sync (restored)", f"/alerts/{alert.pk}/"):
        assert part in message.body


@pytest.mark.django_db
def test_a_mail_server_that_is_down_is_tried_again(owner: User, settings: Any) -> None:
    User.objects.filter(pk=owner.pk).update(email="ada@example.org")
    confirmed(owner, mail=True)
    send_due()
    assert Notice.objects.get().failure == "The account has no confirmed mail address."
    confirm_address(owner, "ada@example.org")
    due_again()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    assert send_due() == 1
    notice = Notice.objects.get()
    assert "refused" in notice.failure.lower()
    assert notice.due_at is not None


@pytest.mark.django_db
def test_a_bad_address_or_a_slow_receiver_of_one_account_delays_no_other(
    owner: User, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "SLOW_SECONDS", 0)  # so that each one is slow
    confirm_address(owner, "a\nb@example.org")
    first = confirmed(owner, mail=True, webhook=receiver.url)
    last = confirmed(
        make_user("grace"), webhook=receiver.url, place={"machine": {"name": "other", "machine_id": "c" * 64}}
    )

    assert send_due() == 2

    assert list(first.notices.filter(attempts=1).values_list("channel", "sent_at")) == [(Channel.MAIL, None)]
    assert last.notices.get().sent_at is not None


@pytest.mark.django_db
def test_accounts_that_were_slow_before_come_last_and_share_a_part_of_a_sweep(
    owner: User, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = [make_user(name) for name in ("eve", "mallory", "victor")]
    machines = ({"machine": {"name": f"m{i}", "machine_id": f"{i}" * 64}} for i in range(9))
    for account in slow:
        confirmed(account, webhook=receiver.url, place=next(machines))
    monkeypatch.setattr(outbox, "SLOW_SECONDS", 0)  # so that each one is slow
    assert send_due() == 3
    waiting = [confirmed(account, webhook=receiver.url, place=next(machines)) for account in slow]
    last = confirmed(owner, webhook=receiver.url, place=next(machines))
    monkeypatch.setattr(outbox, "SECONDS_FOR_SLOW", 0)

    assert send_due() == 1

    assert last.notices.get().sent_at is not None
    monkeypatch.undo()
    assert send_due() == len(waiting)


@pytest.mark.django_db
def test_accounts_take_turns(owner: User, receiver: Receiver) -> None:
    confirm_address(owner, "ada@example.org")
    many = confirmed(owner, mail=True, webhook=receiver.url)
    one = confirmed(
        make_user("grace"), webhook=receiver.url, place={"machine": {"name": "other", "machine_id": "c" * 64}}
    )

    assert send_due() == 3

    order = list(Notice.objects.order_by("sent_at").values_list("alert", flat=True))
    assert order == [many.pk, one.pk, many.pk]


@pytest.mark.django_db
def test_a_closed_account_gets_no_notices_and_no_looks(owner: User, receiver: Receiver) -> None:
    confirmed(owner, webhook=receiver.url)
    Watch.objects.update(stamp="")
    for active, looks in ((False, 0), (True, 1)):
        User.objects.filter(pk=owner.pk).update(is_active=active)
        assert (send_due(), sweep()) == (looks, looks)


@pytest.mark.django_db
def test_suspicions_and_answers_that_confirm_nothing_are_not_sent(owner: User, receiver: Receiver) -> None:
    alert = suspected(owner, webhook=receiver.url)
    assert (Alert.objects.get(), send_due()) == (alert, 0)
    assert receiver.received == []
