"""The order in which workers continue long imports: one of each account at a time, and accounts take turns."""

from threading import Event

import pytest
from django.contrib.auth.models import User
from django.db import transaction

from benchdb.ingest.imports import background, services, turns
from benchdb.ingest.imports.turns import take_next
from benchdb.ingest.imports.unpack import GivenFile
from benchdb.ingest.models import Import, ImportFile, ImportState
from benchdb.ingest.tasks import continue_imports
from tests.agents.formats.texts import golden
from tests.support.html import read
from tests.support.imports import BONNIE, form_of, signed_in
from tests.support.store import make_user
from tests.support.threads import at_once


def long_import(owner: User, files: int = 1) -> Import:
    """An import that a worker has to read."""
    texts = [golden(BONNIE).encode() + b"\n" * (services.AT_ONCE + number) for number in range(files)]
    return services.begin(owner, [GivenFile(f"{number}.txt", text) for number, text in enumerate(texts)])


@pytest.fixture(autouse=True)
def _one_file_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn ends after one file."""
    monkeypatch.setattr(background, "SLICE_SECONDS", 0)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The messages that would be sent to workers."""
    messages: list[str] = []
    monkeypatch.setattr(background, "hand_over", messages.append)
    return messages


def worked_on(times: int) -> list[Import | None]:
    """The imports on which one worker works in its next turns."""
    order = []
    for _ in range(times):
        order.append(take_next())
        if order[-1] is not None:
            assert background.continue_import(order[-1])
    return order


def test_accounts_take_turns_and_finish_their_oldest_import_first(owner: User) -> None:
    first, second = long_import(owner, 3), long_import(owner)
    other = long_import(make_user("eve"), 2)

    assert worked_on(7) == [first, other, first, other, first, second, None]
    assert set(Import.objects.values_list("state", flat=True)) == {ImportState.READY}


def test_a_new_import_gives_no_account_another_turn(owner: User) -> None:
    first, other = long_import(owner, 2), long_import(make_user("eve"), 2)
    assert worked_on(2) == [first, other]
    services.discard(first)
    again = long_import(owner)

    assert worked_on(2) == [again, other]
    long_import(owner)
    later = long_import(User.objects.get(username="eve"))
    assert worked_on(2)[1] == later


def test_an_import_that_is_stored_takes_turns_too(owner: User) -> None:
    first, second = long_import(owner), long_import(owner)
    worked_on(2)
    first.refresh_from_db()
    services.store(first, form_of(first), {"machine": "old-1"})
    third = long_import(owner)

    assert worked_on(3) == [first, third, None]
    assert dict(Import.objects.values_list("pk", "state")) == {
        first.pk: ImportState.STORED,
        second.pk: ImportState.READY,
        third.pk: ImportState.READY,
    }


@pytest.mark.django_db(transaction=True)
def test_a_second_worker_leaves_the_account_of_the_first_alone_and_large_imports(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ada = make_user("ada")
    mine, small = long_import(ada, 2), long_import(ada)
    large, others = long_import(make_user("max"), 2), long_import(make_user("eve"))
    monkeypatch.setattr(turns, "LARGE_BYTES", others.files.get().size)
    working, go_on = Event(), Event()

    def work() -> None:
        with transaction.atomic():
            assert turns.try_turn(mine)
            working.set()
            assert go_on.wait(20)

    def second() -> None:
        assert working.wait(20)
        try:
            assert not any(map(background.continue_import, (mine, small, large)))
            assert not ImportFile.objects.filter(attempts__gt=0).exists()
            assert worked_on(2) == [others, None]
        finally:
            go_on.set()

    at_once([work, second])
    assert worked_on(6) == [mine, large, mine, large, small, None]


@pytest.mark.django_db(transaction=True)
def test_an_account_with_a_slow_file_shares_the_place_of_large_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = long_import(make_user("ada"), 2)
    monkeypatch.setattr(turns, "SLOW_SECONDS", -1)
    assert background.continue_import(slow)

    with transaction.atomic():
        assert turns.try_lock(turns.LARGE, turns.IMPORTS)
        assert at_once([take_next]) == [None]

    assert take_next() == slow


def test_workers_send_messages_until_nothing_is_left(owner: User, sent: list[str]) -> None:
    draft = long_import(owner, 3)
    for left in (2, 1, 0):
        sent.clear()
        continue_imports()
        assert (draft.files.filter(state="waiting").count(), sent) == (left, [background.CONTINUE] * bool(left))

    continue_imports()
    assert sent == []


def test_the_page_names_the_import_that_comes_first(owner: User) -> None:
    first, second = long_import(owner, 2), long_import(owner)
    client = signed_in(owner)

    page = read(client.get(second.get_absolute_url()))
    assert "waiting for your import 0.txt and 1 more" in page.text
    assert page.links["0.txt and 1 more"] == first.get_absolute_url()
    now = client.get(f"/api/v1/imports/{second.pk}/state").json()
    assert (now["text"], now["percent"]) == ("waiting for your import 0.txt and 1 more", None)
    assert "0 of 2 files read" in read(client.get(first.get_absolute_url())).text

    worked_on(2)
    assert "0 of 1 file read" in read(client.get(second.get_absolute_url())).text
