"""`/plans/new/?plan=…`, `?again=…`, `?job=…`: the initial contents of the form, and why it may be empty."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.plans import queue
from benchdb.plans.plan_texts import shipped_plans, what_it_measures
from tests.support.campaigns import PLAN, make_machine, queue_tiny
from tests.support.html import Page, read
from tests.support.store import make_user, store_run
from tests.texts import missing_in


def chosen(page: Page) -> list[str | None]:
    """The values of the selected boxes and options."""
    return [a.get("value") for _, a in page.elements if "checked" in a or "selected" in a]


def test_every_shipped_plan_says_what_it_measures(ada: Client) -> None:
    page = read(ada.get("/plans/new/", {"machine": "7"}))

    assert shipped_plans()
    for name, text in shipped_plans().items():
        assert page.links[name] == f"/plans/new/?plan={name}&machine=7"
        assert what_it_measures(text).endswith(".")
        assert what_it_measures(text) in page.text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("# One, as L. S. Lowe did.\n# More of it.\nname = 1", "One, as L. S. Lowe did."),
        ("#Two\n# lines.", "Two lines."),
        ("name = 1\n# late", ""),
    ],
)
def test_the_first_sentence_says_what_a_plan_measures(text: str, says: str) -> None:
    assert what_it_measures(text) == says


@pytest.mark.parametrize("name", ["../../etc/passwd", "nothing", "\x00"])
def test_a_plan_that_is_not_shipped_leaves_the_form_empty_and_says_so(ada: Client, name: str) -> None:
    page = read(ada.get("/plans/new/", {"plan": name}))

    assert "BenchDB ships no plan" in page.text
    assert page.text.count("Queue it") == 1


def test_a_run_without_a_plan_leads_to_how_it_can_be_measured(ada: Client, owner: User) -> None:
    run = store_run(owner, extra={"import": {"files": []}})

    page = read(ada.get("/plans/new/", {"again": str(run.id)}))

    (why,) = [text for text, href in page.links.items() if href == f"/runs/{run.id}/again/"]
    assert why.startswith("This run has too few recorded facts for a plan")


@pytest.mark.parametrize("run", ["nonsense", "01900000-0000-7000-8000-000000000000", "private"])
def test_a_run_that_is_not_there_looks_like_one_that_is_not_to_be_seen(ada: Client, run: str) -> None:
    private = store_run(make_user("eve"), visibility="private")

    page = read(ada.get("/plans/new/", {"again": str(private.id) if run == "private" else run}))

    assert "There is no such run" in page.text


def test_a_plan_that_is_over_is_queued_again_as_it_was(ada: Client, owner: User) -> None:
    job = queue_tiny(make_machine(owner))
    assert "Queue again" not in read(ada.get(job.get_absolute_url())).links
    queue.cancel(job)

    page = read(ada.get(read(ada.get(job.get_absolute_url())).links["Queue again"]))

    assert PLAN.splitlines()[-1] in page.text
    assert chosen(page) == [str(job.machine_id), job.visibility]


@pytest.mark.parametrize("asked", ["nonsense", "theirs"])
def test_somebody_elses_queued_plan_is_none(ada: Client, asked: str) -> None:
    theirs = queue_tiny(make_machine(make_user("eve")))

    page = read(ada.get("/plans/new/", {"job": str(theirs.pk) if asked == "theirs" else asked}))

    assert "You have no such queued plan" in page.text
    assert PLAN.splitlines()[-1] not in page.text


def test_who_waits_is_told_for_what(ada: Client, owner: User) -> None:
    machine = make_machine(owner)
    first, second = queue_tiny(machine), queue_tiny(machine)

    page = read(ada.get(second.get_absolute_url()))
    assert not missing_in(page.text, "before it 1 plan", "Start the agent on", 'server = "http://testserver"')
    assert "before it" not in read(ada.get(first.get_absolute_url())).text

    queue.listen(owner, machine.machine_id, machine.name, "0.2.0")
    assert "benchagent.pyz serve" not in read(ada.get(second.get_absolute_url())).text
