"""The distribution on the page of a result: curves, and percentiles as they were counted."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.support.html import read
from tests.support.store import store_run

from .sent import FAST, with_distributions

SLOWER = {2 * latency: count for latency, count in FAST.items()}


def test_the_table_has_the_counted_percentiles(client: Client, owner: User) -> None:
    run = store_run(owner, with_distributions([FAST, SLOWER, None]))
    page = read(client.get(f"/runs/{run.id}/results/1/"))
    rows = [[cell.text.replace("\u202f", "") for cell in row] for row in page.tables["Percentiles of latency"]]
    assert "Distribution of 200\u202f000 operations" in page.text
    assert [row[0] for row in rows[1:]] == ["50 %", "90 %", "95 %", "99 %", "99.9 %", "99.99 %", "all"]
    assert (rows[1][2:], rows[5]) == (["1.50", "3.00"], ["99.9 %", "200", "100", "200"])
    assert (rows[6][1:], rows[7][:2]) == (["9998", "4999", "9998"], ["all", "9998"])
    assert "An interval needs at least 6 rounds." in page.text


def test_six_rounds_have_intervals(client: Client, owner: User) -> None:
    run = store_run(owner, with_distributions([FAST, SLOWER] * 3))
    rows = read(client.get(f"/runs/{run.id}/results/1/")).tables["Percentiles of latency"]
    assert (rows[0][2].text, rows[1][2].text) == ("95 % interval", "1.50 to 3.00")


def test_a_result_without_distributions_has_no_section(client: Client, owner: User) -> None:
    run = store_run(owner, with_distributions([FAST]))
    assert "Distribution of" not in client.get(f"/runs/{run.id}/results/0/").content.decode()


def test_the_number_of_queries_does_not_depend_on_the_rounds(
    client: Client, owner: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    few, many = (store_run(owner, with_distributions([FAST] * rounds)) for rounds in (1, 40))
    client.get(f"/runs/{few.id}/results/1/")
    with django_assert_num_queries(4):
        client.get(f"/runs/{few.id}/results/1/")
    with django_assert_num_queries(4):
        page = client.get(f"/runs/{many.id}/results/1/").content.decode()
    assert page.count("curve of-round") == 30
    assert "Thin lines are 30 of the 40 rounds" in page


def test_of_very_many_rounds_some_are_used(client: Client, owner: User) -> None:
    rounds = [{1000 + 100 * i: 50} for i in range(500)]
    run = store_run(owner, with_distributions(rounds))
    page = client.get(f"/runs/{run.id}/results/1/").content.decode()
    assert "Plot and table have 200 rounds, evenly spread; the files have the 300 others too." in page
    text = client.get(f"/runs/{run.id}/results/1/latencies.csv").content.decode()
    assert {line.partition(",")[0] for line in text.splitlines()[1:]} == {str(i + 1) for i in range(500)}
    assert client.get(f"/runs/{run.id}/results/1/latencies.hlog").content.decode().count("Tag=round-") == 500
    assert "Total count    =        25000]" in client.get(f"/runs/{run.id}/results/1/latencies.hgrm").content.decode()


@pytest.mark.parametrize("counts", [{1: 1}, {0: 3}, {5: 2, 10**15: 1}, {1000: 10**9}])
def test_extreme_distributions_are_drawn(client: Client, owner: User, counts: dict[int, int]) -> None:
    run = store_run(owner, with_distributions([counts, counts]))
    response = client.get(f"/runs/{run.id}/results/1/")
    assert response.status_code == 200
    assert "nan" not in response.content.decode().lower().replace("financ", "")
