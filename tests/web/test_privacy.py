"""Headers that keep pages from shared caches, other sites and devices."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.permalinks.services import share
from tests.support.comparing.comparisons import compared_runs, ids
from tests.support.store import make_token, store_run

PRIVATE = ("/", "/runs/", "/account/", "/import/", "/plans/", "/nowhere/")


@pytest.mark.parametrize("path", PRIVATE)
def test_pages_of_a_session_are_for_no_shared_cache(ada: Client, path: str) -> None:
    assert ada.get(path)["Cache-Control"] == "private"


def test_answers_to_a_token_are_for_no_shared_cache(client: Client, owner: User) -> None:
    run = store_run(owner, visibility="private")
    headers = {"Authorization": f"Bearer {make_token(owner)[1]}"}
    assert client.get(f"/api/v1/runs/{run.pk}", headers=headers)["Cache-Control"] == "private"


def test_a_page_that_sets_a_cookie_is_for_no_shared_cache(client: Client, db: None) -> None:
    answer = client.get("/login/")
    assert answer.cookies
    assert "private" in answer["Cache-Control"]


def test_pages_for_everybody_may_be_kept(client: Client, owner: User) -> None:
    assert "Cache-Control" not in client.get(store_run(owner).get_absolute_url())


@pytest.mark.parametrize("path", ["/", "/api/v1/token", "/nowhere/", "/admin/"])
def test_every_answer_turns_off_devices_and_is_for_this_site(client: Client, db: None, path: str) -> None:
    answer = client.get(path)
    assert {"camera=()", "microphone=()", "usb=()"} <= set(answer["Permissions-Policy"].split(", "))
    assert answer["Cross-Origin-Resource-Policy"] == "same-origin"


def test_other_sites_may_show_a_permalink(client: Client, owner: User) -> None:
    link = share(owner, "table", ids(compared_runs(owner)))[0]
    assert client.get(f"/c/{link.pk}/")["Cross-Origin-Resource-Policy"] == "cross-origin"
