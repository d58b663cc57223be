"""Runs of many results, which somebody else stored, delay no page for everybody; what they cost is announced."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.runs.models import Run, RunState
from tests.access.test_work import large_request
from tests.support.comparing.comparisons import compared_runs
from tests.support.html import read


def stored(owner: User, results: int) -> list[Run]:
    """Runs on three file systems, each as if it had so many results."""
    runs = compared_runs(owner)
    RunState.objects.filter(run__in=runs).update(result_count=results)
    return runs


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    seconds: list[float] = []
    monkeypatch.setattr("benchdb.runs.costs.expect", seconds.append)
    return seconds


def test_home_and_suggestions_leave_large_runs_out_and_take_no_turn(client: Client, owner: User) -> None:
    small, large = (f"campaign={stored(owner, results)[0].campaign_id}&tool=iozone" for results in (6_000, 7_000))
    with large_request():
        assert read(client.get("/")).links["Open the comparison"] == f"/compare/?{small}"
        found = client.get("/search/suggest/?q=xfs+read").content.decode()
    assert (small in found, large in found) == (True, False)


@pytest.mark.parametrize("path", ["/campaigns/{}/", "/file-systems/xfs/", "/questions/best/?tool=iozone"])
def test_pages_announce_what_they_read_and_leave_the_largest_runs_out(
    client: Client, owner: User, announced: list[float], path: str
) -> None:
    address = path.format(stored(owner, 100_000)[0].campaign_id)
    assert (client.get(address).status_code, max(announced) > 0.09) == (200, True)
    RunState.objects.update(result_count=1_100_000)
    announced.clear()
    assert (client.get(address).status_code, sum(announced) < 0.1) == (200, True)


def test_comparisons_of_more_results_are_impossible(client: Client, owner: User) -> None:
    address = f"/compare/?campaign={stored(owner, 400_000)[0].campaign_id}"
    assert "These runs have 1,200,000 results, 1,000,000 at most" in client.get(address).content.decode()
