"""Withdrawing a run on its page: permissions, the form, and the notices for readers."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.runs.models import Run, RunState, Visibility
from benchdb.runs.services import reinstate, replace_continued, withdraw
from tests.support.comparing.comparisons import unknown_id
from tests.support.html import read
from tests.support.store import make_user, store_run


@pytest.fixture
def run(owner: User) -> Run:
    return store_run(owner)


def test_its_page_leads_there_asks_why_and_says_it(ada: Client, owner: User, run: Run) -> None:
    page = read(ada.get(run.get_absolute_url()))
    assert "Withdraw this run" in read(ada.get(page.links["Withdraw"])).text

    answer = ada.post(page.links["Withdraw"], {"reason": "the disk was <failing>"})

    assert answer["Location"] == run.get_absolute_url()
    ada.logout()
    for address in (run.get_absolute_url(), f"{run.get_absolute_url()}results/0/", f"/runs/{run.id}/raw/iozone.txt"):
        shown = read(ada.get(address))
        assert "Withdrawn by its owner: the disk was <failing>" in shown.text
    assert str(run.id) not in read(ada.get("/runs/")).links.values()


def test_it_can_be_taken_back(ada: Client, run: Run) -> None:
    withdraw(run, "a mistake")

    assert ada.post(f"/runs/{run.id}/reinstate/")["Location"] == run.get_absolute_url()

    assert "Withdrawn by" not in read(ada.get(run.get_absolute_url())).text
    assert run.get_absolute_url() in read(ada.get("/runs/")).links.values()


def test_a_new_reason_keeps_the_day(owner: User, run: Run) -> None:
    withdraw(run, "first")
    since = Run.objects.with_context().get().runstate.withdrawn_at
    withdraw(run, "second")

    state = Run.objects.with_context().get().runstate
    assert (state.withdrawn_at, state.withdrawn_reason) == (since, "second")


@pytest.mark.parametrize("reason", ["", "   ", "x" * 201, "a\x00b", "a\nb", "a\u202eb", "a\x1b[31mb", "a\x9bb"])
def test_a_reason_that_is_none_comes_back_with_its_fault(ada: Client, run: Run, reason: str) -> None:
    page = read(ada.post(f"/runs/{run.id}/withdraw/", {"reason": reason}), 422)

    assert "Withdraw this run" in page.text
    assert any(attributes.get("class") == "severe" for tag, attributes in page.elements if tag == "li")
    assert Run.objects.with_context().get().runstate.withdrawn_at is None


@pytest.mark.parametrize("action", ["withdraw", "reinstate", "delete"])
@pytest.mark.parametrize("visibility", ["public", "unlisted", "private"])
def test_only_its_owner_may(client: Client, owner: User, action: str, visibility: str) -> None:
    run = store_run(owner, visibility=visibility)
    address = f"/runs/{run.id}/{action}/"

    assert client.post(address, {"reason": "x"})["Location"].startswith("/login/")
    client.force_login(make_user("eve"))
    assert client.post(address, {"reason": "x"}).status_code == 404
    assert client.post(f"/runs/{unknown_id()}/{action}/", {"reason": "x"}).status_code == 404
    assert Run.objects.with_context().get().runstate.withdrawn_at is None


def test_others_see_no_buttons(client: Client, run: Run) -> None:
    client.force_login(make_user("eve"))
    assert {"Withdraw", "Delete"}.isdisjoint(read(client.get(run.get_absolute_url())).links)


def test_a_click_alone_changes_nothing(ada: Client, run: Run) -> None:
    assert ada.get(f"/runs/{run.id}/withdraw/").status_code == 200
    assert ada.get(f"/runs/{run.id}/delete/").status_code == 200
    assert ada.get(f"/runs/{run.id}/reinstate/").status_code == 405
    assert Run.objects.with_context().get().runstate.withdrawn_at is None


def test_deleting_asks_first_and_is_for_good(ada: Client, run: Run, upload: Any) -> None:
    asked = read(ada.get(read(ada.get(run.get_absolute_url())).links["Delete"]))
    assert "Delete this run" in asked.text

    answer = ada.post(f"/runs/{run.id}/delete/")

    assert "This run was deleted" in read(ada.get(answer["Location"]), 410).text
    assert not Run.objects.exists()
    for action in ("withdraw", "delete", "reinstate"):
        assert ada.post(f"/runs/{run.id}/{action}/", {"reason": "x"}).status_code == 410


def test_what_a_maintainer_withdrew_only_a_maintainer_reinstates(ada: Client, run: Run) -> None:
    withdraw(run, "invented", by_staff=True)

    page = read(ada.get(run.get_absolute_url()))
    assert "Withdrawn by a maintainer: invented" in page.text
    assert "Reinstate" not in page.text
    assert ada.post(f"/runs/{run.id}/reinstate/").status_code == 403
    replaced = read(ada.post(f"/runs/{run.id}/withdraw/", {"reason": "of my own"}), 422)
    assert "A maintainer has withdrawn this run." in replaced.text

    state = Run.objects.with_context().get().runstate
    assert (state.withdrawn_at is not None, state.withdrawn_reason) == (True, "invented")
    reinstate(run, by_staff=True)
    withdraw(run, "a mistake")
    assert ada.post(f"/runs/{run.id}/reinstate/").status_code == 302


def test_continuing_a_run_that_a_maintainer_withdrew_keeps_the_reason(run: Run) -> None:
    withdraw(run, "invented", by_staff=True)
    replace_continued(Run(continues=run.pk, round_count=6), Visibility.PUBLIC)
    assert RunState.objects.get(pk=run.pk).withdrawn_reason == "invented"
