"""`/api/v1/comparisons`: the contents of pages, what goes with differences, and percentiles, by token."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.ingest.models import Scope
from benchdb.runs.models import Run
from tests.compare.goes_with.test_page import MORE_FLUSHES, pair, query, side
from tests.compare.latencies.test_page import three
from tests.support.api import error_of
from tests.support.comparing.comparisons import compared_runs, ids, unknown_id
from tests.support.comparing.responses import response_runs
from tests.support.comparing.sampled import sampled
from tests.support.documents import MIB
from tests.support.store import make_token

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/comparisons"


def test_a_content_is_that_of_the_page(client: Client, owner: User) -> None:
    table, curves = ids(compared_runs(owner)), ids(response_runs(owner))
    for kind, path, asked in (("table", "compare", table), ("response", "response", f"{curves}&latency=latency_p99")):
        answer = client.get(f"{ADDRESS}/{kind}?{asked}")
        assert answer.status_code == 200, answer.content
        assert answer.json() == client.get(f"/{path}/{kind}.json?{asked}").json()
        assert answer["Content-Type"] == "application/json; charset=utf-8"


def test_a_token_reads_what_its_owner_sees(client: Client, owner: User) -> None:
    runs = [side(owner, name, series=sampled(), visibility="private") for name in ("ext4", "xfs")]
    bearer = {"Authorization": f"Bearer {make_token(owner, Scope.READ)[1]}"}
    for address in (f"{ADDRESS}/table?{query(runs)}", goes_with(runs)):
        assert error_of(client.get(address), 404)
        assert client.get(address, headers=bearer).status_code == 200


def goes_with(runs: list[Run]) -> str:
    return f"{ADDRESS}/table/goes-with?{query(runs)}&cell=0-1-0"


def test_what_goes_with_a_difference_is_that_of_the_page(client: Client, owner: User) -> None:
    runs = pair(owner, **MORE_FLUSHES)
    found = client.get(goes_with(runs)).json()
    assert (found["baseline"], [each["label"] for each in found["rivals"]]) == ("ext4", ["xfs"])
    assert (found["rivals"][0]["different"], found["rivals"][0]["runs"]) == (True, [str(runs[1].id)])
    page = client.get(f"/compare/goes-with.json?{query(runs)}&cell=0-1-0").json()
    shared = ("quantity", "rank", "unit", "per", "baseline_mean", "rival_mean", "ratio", "low", "high", "p_adjusted")
    assert [[each[name] for name in shared] for each in found["rivals"][0]["quantities"]] == [
        [each[name] for name in shared] for each in page
    ]
    assert client.get(found["address"].removeprefix("http://testserver")).status_code == 200
    error_of(client.get(goes_with([side(owner, "ext4"), side(owner, "xfs", 70 * MIB)])), 404)


def test_percentiles_of_rivals_have_intervals(client: Client, owner: User) -> None:
    runs = three(owner, "write")
    found = client.get(f"{ADDRESS}/table/latencies?{query(runs)}&cell=0-0-0").json()
    assert [each["label"] for each in found["rivals"]] == ["ext4", "xfs", "btrfs"]
    assert {(each["round_count"], each["operations"]) for each in found["rivals"]} == {(6, 120_000)}
    of_rivals = [{each["percentile"]: each for each in rival["percentiles"]} for rival in found["rivals"]]
    assert [*of_rivals[0]] == [50, 90, 95, 99, 99.9, 99.99]
    first, second = of_rivals[0][99.9], of_rivals[1][99.9]
    assert first["low"] <= first["latency"] <= first["high"] < second["low"]
    assert client.get(found["address"].removeprefix("http://testserver")).status_code == 200


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("table", 422),
        ("table?run=nonsense", 422),
        ("table?run={run}&rows=nonsense", 422),
        ("nonsense?run={run}", 422),
        ("table/goes-with?run={run}", 422),
        ("table/goes-with?run={run}&cell=9-9-9", 404),
        ("table/latencies?run={run}&cell=0-0-0", 404),
        ("table?run={unknown}", 404),
        ("response?run={run}", 422),
    ],
)
def test_what_cannot_be_shown_is_refused(client: Client, owner: User, address: str, status: int) -> None:
    run = compared_runs(owner)[0]
    error_of(client.get(f"{ADDRESS}/{address.format(run=run.id, unknown=unknown_id())}"), status)
