"""A run that comes or goes while a comparison is evaluated is in nothing that is kept for others."""

from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.runs import kept
from benchdb.runs.models import Run, RunQuerySet, Visibility
from benchdb.runs.services import edit
from tests.support.comparing.comparisons import MIB, campaign, compared_document, surface_run
from tests.support.imports import signed_in
from tests.support.store import store_run
from tests.support.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)
Meanwhile = Callable[[Callable[[], object]], None]
TABLES = ["/compare/?campaign={}", "/compare/table.json?campaign={}", "/compare/panels?campaign={}&row=0-0"]


@pytest.fixture(params=["before the evaluation", "in it"])
def meanwhile(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Meanwhile]:
    """Does something once, in another connection: after the first or second question which runs may be seen."""
    waiting: list[Callable[[], object]] = []
    seen, questions = kept.seen, 1 if request.param == "in it" else 0

    def ask(runs: RunQuerySet, most: int) -> kept.SeenRuns:
        nonlocal questions
        found = seen(runs, most)
        questions -= 1
        if waiting and questions < 0:
            at_once([waiting.pop()])
        return found

    monkeypatch.setattr(kept, "seen", ask)
    return waiting.append


def document(name: str, of: dict[str, str], **sections: object) -> dict[str, object]:
    return compared_document(name, 100 * MIB, campaign=of, **sections)


@pytest.mark.parametrize("address", TABLES)
def test_a_private_run_stored_while_its_owner_reads(owner: User, meanwhile: Meanwhile, address: str) -> None:
    of, added = campaign(), list[Run]()
    for name in ("ext4", "xfs"):
        store_run(owner, document(name, of, visibility="public"))
    private = document("btrfs", of, labels={"x": "secret"}, visibility="private")
    meanwhile(lambda: added.append(store_run(owner, private, visibility="private")))

    signed_in(owner).get(address.format(of["id"]))
    nobodys = Client().get(address.format(of["id"])).content.decode()

    assert added
    assert str(added[0].pk) not in nobodys
    assert "btrfs" not in nobodys


@pytest.mark.parametrize("address", TABLES)
def test_a_run_that_was_public_for_a_moment(owner: User, meanwhile: Meanwhile, address: str) -> None:
    of = campaign()
    for name in ("ext4", "xfs"):
        store_run(owner, document(name, of, visibility="public"))
    hidden = store_run(owner, document("btrfs", of, visibility="private"), visibility="private")
    meanwhile(lambda: edit(hidden, {}, Visibility.PUBLIC))

    Client().get(address.format(of["id"]))
    assert Run.objects.filter(pk=hidden.pk, runstate__visibility="public").exists()
    edit(Run.objects.with_context().get(pk=hidden.pk), {}, Visibility.PRIVATE)

    assert "btrfs" not in Client().get(address.format(of["id"])).content.decode()


@pytest.mark.parametrize("address", ["/trend/trend.json?run={}", "/trend/?run={}", "/surface/?run={}"])
def test_a_private_run_of_the_same_machine(owner: User, meanwhile: Meanwhile, address: str) -> None:
    first, added = surface_run(owner), list[Run]()
    meanwhile(lambda: added.append(surface_run(owner, visibility="private")))

    signed_in(owner).get(address.format(first.pk))

    assert added
    assert str(added[0].pk) not in Client().get(address.format(first.pk)).content.decode()
