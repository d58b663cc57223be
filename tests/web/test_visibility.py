"""Visibility: a private run is 404 for everybody but its owner, on every page, as data and as raw output."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.ingest.models import Scope
from benchdb.runs.models import Run
from tests.support.comparing.comparisons import campaign, surface_run
from tests.support.documents import document
from tests.support.store import make_token, make_user, store_run

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
    "same workload elsewhere": "/runs/{run.id}/others/",
    "run again": "/runs/{run.id}/again/",
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
        assert client.get(f"/api/v1/runs/{run.id}", headers={"Authorization": f"Bearer {secret}"}).status_code == status


SECRET = "hush-hush"
LISTS = (
    *("/", "/runs/", "/machines/", "/campaigns/", "/search/?q={word}", "/compare/", "/articles/"),
    "/machines/{machine}/",
    *("/runs/?q={word}", "/machines/?q={word}", "/campaigns/?machine={machine}", "/runs/?memory_min=1&sort=kernel"),
    "/runs/?column=kernel&column=cpu&column=os&column=labels&column=tool_version&column=mkfs_options&column=scheduler",
)


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_lists_and_counts_give_away_nothing_of_a_hidden_run(client: Client, owner: User, visibility: str) -> None:
    shown = store_run(owner)
    hidden = store_run(owner, secret_document(visibility))
    assert hidden.machine == shown.machine, "the public run shows that machine to everybody"

    def found() -> list[str]:
        # Pages repeat the search words, so each list is searched for a word that finds both runs.
        pages = [address.format(word="epyc", machine=shown.machine_id) for address in LISTS]
        pages += [f"/runs/{shown.id}/", f"/runs/{shown.id}/others/", f"/trend/?run={shown.id}"]
        answers = {page: client.get(page) for page in pages}
        assert {answer.status_code for answer in answers.values()} == {200}
        return [page for page, answer in answers.items() if re.search(f"{SECRET}|{hidden.id}", answer.content.decode())]

    assert found() == []
    client.force_login(make_user("eve"))
    assert found() == []
    client.force_login(owner)
    assert {"/runs/", "/machines/", f"/machines/{shown.machine_id}/"} < set(found())


def secret_document(visibility: str) -> dict[str, Any]:
    """A later run of the machine and workload of `documents.document`, with a secret in every listed name."""
    sent = document(visibility=visibility, labels={SECRET: SECRET}, file_system=SECRET)
    sent["environment"]["cpu"]["model"] = sent["environment"]["os"]["name"] = f"epyc {SECRET}"
    sent["environment"]["kernel"]["release"] = sent["workload"]["tool_version"] = SECRET
    sent["environment"]["block_devices"][0]["model"] = sent["target"]["scheduler"] = SECRET
    sent["target"]["stack"][1]["model"] = sent["target"]["mount"]["options"][0] = SECRET
    return sent


def test_only_the_owner_may_change_a_run(client: Client, owner: User) -> None:
    run = made(owner, "public")
    forms = ("edit", "withdraw", "reinstate", "delete")
    for form in forms:
        assert client.post(f"/runs/{run.id}/{form}/")["Location"].startswith("/login/?next=/runs/")
    client.force_login(make_user("eve", is_staff=True))
    for form in forms:
        sent = {"labels": "", "visibility": "private", "reason": "x"}
        assert client.post(f"/runs/{run.id}/{form}/", sent).status_code == 404
    assert Run.objects.with_context().get(pk=run.id).runstate.visibility == "public"


def test_no_form_is_taken_from_another_site(owner: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    run, (token, _) = made(owner, "public"), make_token(owner)
    forms = [f"/runs/{run.id}/{name}/" for name in ("edit", "withdraw", "reinstate", "delete")]
    forms += ["/account/", "/account/password/", f"/account/tokens/{token.pk}/revoke/", "/plans/new/", "/share/"]
    forms += ["/import/", "/logout/", "/login/", "/admin/auth/user/add/"]

    assert [(form, client.post(form).status_code) for form in forms] == [(form, 403) for form in forms]
