"""`/runs/ID/results/N/`: one result with its values by round, the target of numbers without scripts."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.support.documents import document, result, round_
from tests.support.html import read
from tests.support.store import store_run
from tests.texts import missing_in


def test_values_by_round_with_the_lines_they_were_read_from(client: Client, owner: User) -> None:
    run = store_run(owner)

    page = read(client.get(f"/runs/{run.id}/results/0/"))

    assert not missing_in(page.text, "Write, 1\u00a0GiB file, 1\u00a0MiB records: throughput", "n 3 rounds")
    rows = [[cell.text for cell in row] for row in page.tables["Values by round"][1:]]
    assert rows[1][:2] == ["2", "106.77770"]
    assert rows[1][2].replace("\u202f", "") == "109340.361328125 KiB/s = 111964530 B/s"
    assert page.links["line 2"] == f"/runs/{run.id}/raw/iozone.txt#L2"


def test_a_round_without_value_says_why(client: Client, owner: User) -> None:
    rounds = [round_(0), {**round_(1), "status": "failed", "error": "Input/output error"}, round_(2)]
    sent = document(results=[result([1e6, None, 3e6])], visibility="public") | {"rounds": rounds}

    page = read(client.get(f"/runs/{store_run(owner, sent).id}/results/0/"))

    assert page.tables["Values by round"][2][1].text == "Input/output error"


def test_a_failed_result_has_the_tools_words(client: Client, owner: User) -> None:

    text = read(client.get(f"/runs/{store_run(owner).id}/results/1/")).text

    assert "Failed: No space left on device" in text
    assert text.count("No space left on device") == 1


def test_figures_that_somebody_else_computed(client: Client, owner: User) -> None:
    published = {"test": "write", "metric": "throughput", "unit": "B/s", "summary": {"n": 10, "mean": 1e8, "sd": 1e6}}
    run = store_run(owner, results=[published])

    page = read(client.get(f"/runs/{run.id}/results/0/"))

    assert not missing_in(page.text, "95.37 ± 0.95 MiB/s", "n 10 rounds")


@pytest.mark.parametrize("ordinal", ["7", "99999999999999999999", "x"])
def test_a_result_that_is_not_there_is_404(client: Client, owner: User, ordinal: str) -> None:

    assert client.get(f"/runs/{store_run(owner).id}/results/{ordinal}/").status_code == 404
