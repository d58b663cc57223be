"""Distributions of a run's results: read as they were sent, deleted with the run."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchagent.formats.packing.histogram import packed_histogram
from benchdb.runs.models import Histogram, Run
from benchdb.runs.services import delete_run
from tests.runs.distributions.sent import latencies
from tests.support.api import error_of
from tests.support.documents import document, result
from tests.support.store import store_run

ONE, OTHER = {900: 2, 70_000: 1}, {5: 10**6}


@pytest.fixture
def run(owner: User) -> Run:
    sent = [result([1.0, 2.0]), latencies(ONE, None), latencies(OTHER, ONE, test="read")]
    return store_run(owner, document(rounds=2, results=sent, visibility="public"))


def address(run: Run) -> str:
    return f"/api/v1/runs/{run.pk}/histograms"


def test_the_texts_of_the_document_come_back(run: Run, client: Client) -> None:
    first, second = (client.get(address(run), query).json() for query in ({}, {"ordinal": 2}))
    assert (first["ordinal"], first["ordinals"]) == (1, [1, 2])
    assert first["histograms"] == [packed_histogram(ONE), None]
    assert second["histograms"] == [packed_histogram(OTHER), packed_histogram(ONE)]


@pytest.mark.parametrize("ordinal", [0, 7, -1, 99_999_999_999])
def test_a_result_without_distributions_has_none(run: Run, client: Client, ordinal: int) -> None:
    answer = client.get(address(run), {"ordinal": ordinal})
    assert (answer.status_code, answer.json()["histograms"]) == (200, [])


def test_an_ordinal_that_is_no_number_is_refused(run: Run, client: Client) -> None:
    error_of(client.get(f"{address(run)}?ordinal=x"), 422)


def test_distributions_are_deleted_with_their_run(run: Run) -> None:
    delete_run(run)
    assert Histogram.objects.count() == 0
