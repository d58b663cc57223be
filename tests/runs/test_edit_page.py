"""`/runs/ID/edit/`: the owner changes labels and visibility of a run."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.runs.models import Run, RunState, Visibility
from benchdb.runs.services import limit_visibility
from tests.support.comparing.comparisons import unknown_id
from tests.support.html import read
from tests.support.store import make_user, store_run
from tests.texts import missing_in


@pytest.fixture
def run(owner: User) -> Run:
    return store_run(owner)


def sent(client: Client, run: Run, labels: str, visibility: str = "public") -> Any:
    return client.post(f"/runs/{run.id}/edit/", {"labels": labels, "visibility": visibility})


def state_of(run: Run) -> RunState:
    return RunState.objects.get(pk=run.pk)


def test_its_page_leads_there_and_shows_what_was_saved(ada: Client, run: Run) -> None:
    asked = read(ada.get(read(ada.get(run.get_absolute_url())).links["Labels and visibility"]))
    assert "plan = tests" in asked.text

    answer = sent(ada, run, "site = <b>hall 3</b>\r\n\r\nequation = a = b\n", "unlisted")

    assert answer["Location"] == run.get_absolute_url()
    assert state_of(run).labels == {"site": "<b>hall 3</b>", "equation": "a = b"}
    ada.logout()
    shown = read(ada.get(run.get_absolute_url())).text
    assert not missing_in(shown, "site <b>hall 3</b>", "visibility unlisted: everyone with the address")
    assert str(run.id) not in ada.get("/runs/").content.decode()


def test_a_private_run_is_gone_for_others(ada: Client, run: Run) -> None:
    sent(ada, run, "", "private")

    assert ada.get(run.get_absolute_url()).status_code == 200
    ada.logout()
    assert ada.get(run.get_absolute_url()).status_code == 404


@pytest.mark.parametrize(
    ("labels", "visibility", "faults"),
    [
        ("site hall 3", "public", ["“site hall 3”, is not of the form"]),
        ("= 3\nsite =", "public", ["Line 1", "Line 2"]),
        ("a = 1\na = 2", "public", ["“a” is there twice"]),
        ("a = " + "x" * 201, "public", ["more than 200 characters"]),
        ("a = x\ty", "public", ["control characters"]),
        ("a = \u3164", "public", ["nothing visible on one side"]),
        ("\n".join(f"l{i} = 1" for i in range(65)), "public", ["65 labels; a run can have 64"]),
        (
            "\n".join(f"l{i} = {'x' * 199}" for i in range(10)),
            "public",
            ["2,010 characters together; a run can have 2,000"],
        ),
        ("a = 1", "everybody", ["everybody"]),
        ("<script>", "nobody", ["“<script>”", "nobody"]),
        ("a = \x00", "public", ["Null characters"]),
    ],
)
def test_what_cannot_be_comes_back_with_every_fault(
    ada: Client, run: Run, labels: str, visibility: str, faults: list[str]
) -> None:
    page = read(sent(ada, run, labels, visibility), 422)

    assert not missing_in(page.text, *faults)
    assert "script" not in [tag for tag, attributes in page.elements if not attributes]
    assert (state_of(run).labels, state_of(run).visibility) == ({"plan": "tests"}, "public")


@pytest.mark.parametrize("visibility", ["public", "unlisted", "private"])
def test_only_its_owner_may(client: Client, owner: User, visibility: str) -> None:
    run = store_run(owner, visibility=visibility)

    assert sent(client, run, "a = 1")["Location"].startswith("/login/")
    client.force_login(make_user("eve"))
    assert sent(client, run, "a = 1").status_code == 404
    assert client.get(f"/runs/{run.id}/edit/").status_code == 404
    assert client.get(f"/runs/{unknown_id()}/edit/").status_code == 404
    assert state_of(run).labels == {"plan": "tests"}


def test_labels_that_no_line_can_say_stay(ada: Client, owner: User) -> None:
    odd = {"a=b": "c", "two\u2028lines": "x"}
    run = store_run(owner, labels={"plan": "tests", **odd})

    asked = read(ada.get(f"/runs/{run.id}/edit/"))
    sent(ada, run, "plan = late")

    assert "are kept: a=b with the value c, two" in asked.text
    assert state_of(run).labels == {"plan": "late", **odd}


def test_a_separator_of_lines_that_is_none_of_the_forms_ends_no_line(ada: Client, run: Run) -> None:
    page = read(sent(ada, run, "a = 1\u2028b = 2"), 422)

    assert "Line 1 of the labels has control characters" in page.text
    assert "Line 2" not in page.text


@pytest.mark.parametrize(
    ("limit", "allowed"),
    [("private", ["private"]), ("unlisted", ["private", "unlisted"]), ("public", ["private", "unlisted", "public"])],
)
def test_nobody_sees_more_than_a_maintainer_allows(ada: Client, run: Run, limit: str, allowed: list[str]) -> None:
    limit_visibility([run.pk], Visibility(limit))

    for visibility in Visibility.values:
        limit_visibility([run.pk], Visibility(limit))
        expected = visibility if visibility in allowed else limit
        assert sent(ada, run, "site = hall 3", visibility).status_code == (302 if visibility in allowed else 422)
        assert state_of(run).visibility == expected
    page = read(ada.get(f"/runs/{run.id}/edit/"))
    assert ("A maintainer has made this run" in page.text) == (limit != "public")
