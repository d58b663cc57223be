"""Disturbances of a run's rounds, as its page describes them."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.support.documents import document, round_
from tests.support.html import Page, read
from tests.support.store import store_run
from tests.texts import missing_in

pytestmark = pytest.mark.django_db


def page_with(client: Client, owner: User, *evidence: dict[str, Any]) -> Page:
    """The page of a run with this evidence of its rounds."""
    rounds = [{**round_(number), "evidence": each} for number, each in enumerate(evidence)]
    run = store_run(owner, {**document(rounds=len(rounds)), "rounds": rounds, "visibility": "public"})
    return read(client.get(f"/runs/{run.id}/"))


def test_rounds_with_trouble_are_named_the_worst_first(client: Client, owner: User) -> None:
    page = page_with(
        client,
        owner,
        {"disturbances": {"thermal_throttling": 3}},
        {"disturbances": {"io_error": 2, "thermal_throttling": 1, "clock_step": 0}},
        {"disturbances": {"io_error": 1, "something_new": 1}},
    )
    io, heat, new = "Rounds 2 and 3: the kernel reported I/O errors.", "Rounds 1 and 2: the processor", "something new"
    assert not missing_in(page.text, io, heat, f"Round 3: {new}.")
    assert page.text.index(io) < page.text.index(heat) < page.text.index(new)
    assert "clock" not in page.text.split("Before you trust")[1].split("Results")[0]


def test_other_load_is_told_from_a_twentieth_on(client: Client, owner: User) -> None:
    quiet = page_with(client, owner, {"noise": {"score": 0.04}}, {"noise": {"score": 0.0}}, {})
    assert "other load" not in quiet.text
    loud = page_with(client, owner, {"noise": {"score": 0.05}}, {"noise": {"score": 0.31}}, {"noise": {"score": True}})
    assert "Rounds 1 and 2: other load on the machine, worst in round 2 (noise score 31%)." in loud.text


def test_of_many_rounds_the_first_are_named(client: Client, owner: User) -> None:
    page = page_with(client, owner, *[{"disturbances": {"raid_resync": 1}}] * 8)
    assert "Rounds 1, 2, 3, 4, 5 and 3 more: a RAID array was resyncing." in page.text


def test_context_switches_are_columns_of_the_rounds(client: Client, owner: User) -> None:
    seen = {"voluntary_context_switches": 1234, "involuntary_context_switches": 5}
    page = page_with(client, owner, seen, {}, seen)
    assert not missing_in(page.text, "Waits", "Preemptions")


@pytest.mark.parametrize(
    ("protocol", "told"),
    [
        ({"ended_by": "precision", "precision": 0.05}, ["± 5 % asked for", "ended by all results being known so well"]),
        ({"ended_by": "rounds", "precision": 0.05}, ["ended by the most rounds it may take"]),
        ({"ended_by": "time_budget"}, ["ended by its time being used up"]),
        ({"ended_by": "verdicts"}, ["ended by a verdict on every test of a gate"]),
        ({"ended_by": "stopped"}, ["ended by a person or a signal"]),
    ],
)
def test_why_no_further_round_followed(client: Client, owner: User, protocol: dict[str, Any], told: list[str]) -> None:
    run = store_run(owner, protocol={**document()["protocol"], **protocol})
    text = read(client.get(f"/runs/{run.id}/")).text
    assert not missing_in(text, *told)
