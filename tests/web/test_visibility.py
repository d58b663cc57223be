"""Who sees what: a private run is 404 for everybody but its owner, on every page, as data and as raw output."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.ingest.models import Scope
from benchdb.runs.models import Run
from tests.support.comparisons import campaign, surface_run
from tests.support.store import make_token, make_user

PATHS = {
    "run": "/runs/{run.id}/",
    "result": "/runs/{run.id}/results/0/",
    "raw": "/runs/{run.id}/raw/iozone.txt",
    "comparison": "/compare/?run={run.id}",
    "comparison of its campaign": "/compare/?campaign={run.campaign_id}",
    "comparison as JSON": "/compare/table.json?run={run.id}",
    "comparison as CSV": "/compare/table.csv?campaign={run.campaign_id}",
    "surface": "/surface/?run={run.id}",
    "surface as JSON": "/surface/surface.json?run={run.id}",
    "surface as CSV": "/surface/surface.csv?run={run.id}",
    "trend": "/trend/?run={run.id}",
    "trend as JSON": "/trend/trend.json?run={run.id}",
    "trend as CSV": "/trend/trend.csv?run={run.id}",
    "run in the API": "/api/v1/runs/{run.id}",
    "state in the API": "/api/v1/runs/{run.id}/state",
    "raw output in the API": "/api/v1/runs/{run.id}/artifacts/iozone.txt",
}
each_path = pytest.mark.parametrize("path", PATHS.values(), ids=PATHS)


def made(owner: User, visibility: str) -> Run:
    return surface_run(owner, visibility=visibility, campaign=campaign())


@each_path
def test_a_private_run_is_its_owners_alone(client: Client, owner: User, path: str) -> None:
    address = path.format(run=made(owner, "private"))

    assert client.get(address).status_code == 404
    client.force_login(make_user("eve"))
    assert client.get(address).status_code == 404
    client.force_login(owner)
    assert client.get(address).status_code == 200


@each_path
def test_a_public_run_is_for_everybody(client: Client, owner: User, path: str) -> None:
    assert client.get(path.format(run=made(owner, "public"))).status_code == 200


@each_path
def test_an_unlisted_run_is_for_whoever_has_its_address(client: Client, owner: User, path: str) -> None:
    answer = client.get(path.format(run=made(owner, "unlisted")))

    assert answer.status_code == (404 if "campaign" in path else 200)  # a campaign is a search


def test_a_private_run_and_no_run_answer_the_same(client: Client, owner: User) -> None:
    run = made(owner, "private")
    other = str(run.id)[:-1] + ("0" if str(run.id)[-1] != "0" else "1")

    for path in PATHS.values():
        if "campaign" not in path:
            there, nowhere = path.format(run=run), path.format(run=run).replace(str(run.id), other)
            assert client.get(there).content.replace(str(run.id).encode(), b"") == client.get(nowhere).content.replace(
                other.encode(), b""
            )


def test_a_private_run_among_public_ones_hides_in_a_campaign(client: Client, owner: User) -> None:
    belongs = campaign()
    shown, hidden = (surface_run(owner, visibility=name, campaign=belongs) for name in ("public", "private"))

    html = client.get(f"/compare/?campaign={belongs['id']}&rows=run").content.decode()

    assert str(shown.id) in html
    assert str(hidden.id) not in html


def test_a_read_token_reads_its_owners_private_runs(client: Client, owner: User) -> None:
    run = made(owner, "private")
    _, mine = make_token(owner, Scope.READ)
    _, others = make_token(make_user("eve"), Scope.READ)

    for secret, status in ((mine, 200), (others, 404)):
        answer = client.get(f"/api/v1/runs/{run.id}", headers={"Authorization": f"Bearer {secret}"})
        assert answer.status_code == status
