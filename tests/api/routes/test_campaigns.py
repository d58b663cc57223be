"""`PUT /api/v1/campaigns/{id}`: announced once and ended once, only by its owner; and reading it."""

import json
from typing import Any
from uuid import UUID, uuid4

import jsonschema_rs
import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from benchdb.api.routes.campaigns import MOST_INFLATED
from benchdb.ingest.models import Scope, Token
from benchdb.plans.models import Campaign
from benchdb.plans.queries import campaign_status
from tests.support.api import error_of
from tests.support.campaigns import campaign_document, ended, of_point, skipped, store_campaign
from tests.support.documents import encoded, uuid7, zipped
from tests.support.store import make_token, make_user, store_run


@pytest.fixture
def put(client: Client, secret: str) -> Any:
    """`put(document)` sends a campaign as an agent of `owner` does."""

    def send(
        document: Any, *, secret: str = secret, campaign_id: object = None, body: bytes | None = None, **headers: str
    ) -> HttpResponse:
        address = f"/api/v1/campaigns/{campaign_id or document['campaign_id']}"
        all_headers = {"Authorization": f"Bearer {secret}", **headers}
        return client.put(address, encoded(document) if body is None else body, "application/json", headers=all_headers)

    return send


def test_an_announced_campaign_is_stored(put: Any) -> None:
    sent = campaign_document(visibility="unlisted")

    answer = put(sent)

    assert answer.status_code == 201, answer.content
    url = f"http://testserver/campaigns/{sent['campaign_id']}/"
    assert answer.json() == {"campaign_id": sent["campaign_id"], "url": url, "state": "running"}
    stored = Campaign.objects.get(pk=sent["campaign_id"])
    assert (stored.plan_name, stored.plan_text, stored.point_count) == ("tiny", sent["plan"]["text"], 4)
    assert (stored.machine.name, stored.visibility, stored.owner.username) == ("epyc-2", "unlisted", "ada")


def test_the_same_again_changes_nothing_and_its_end_is_added_once(put: Any) -> None:
    sent = campaign_document()
    put(sent)

    again = put(None, campaign_id=sent["campaign_id"], body=zipped(sent), **{"Content-Encoding": "gzip"})
    assert (again.status_code, again.json()["state"]) == (200, "running")
    for _ in range(2):
        answer = put(ended(sent, measured=3, missing=1))
        assert (answer.status_code, answer.json()["state"]) == (200, "finished")
    assert put(sent).json()["state"] == "finished"  # the announcement came late
    error_of(put(ended(sent, "stopped")), 409)
    stored = Campaign.objects.get()
    assert (stored.state, stored.ended["missing"]) == ("finished", 1)


def test_a_campaign_may_come_with_its_end_at_once(put: Any) -> None:
    assert put(ended(campaign_document(), "killed")).json()["state"] == "killed"


def test_another_announcement_under_the_same_id_is_a_conflict(put: Any) -> None:
    sent = campaign_document()
    put(sent)

    for other in ({**sent, "agent": {"version": "9"}}, skipped(sent, 0, "because"), {**sent, "visibility": "public"}):
        assert error_of(put(other), 409)["code"] == "conflict"
    assert Campaign.objects.get().agent_version == "0.2.0"


def test_somebody_else_can_neither_end_it_nor_take_it(put: Any) -> None:
    sent = campaign_document()
    put(sent)
    _, others = make_token(make_user("grace"))

    error_of(put(sent, secret=others), 409)
    error_of(put(ended(sent), secret=others), 409)
    assert Campaign.objects.get().ended is None


def test_nobody_announces_a_campaign_whose_runs_are_somebody_elses(put: Any) -> None:
    sent = campaign_document()
    store_run(make_user("grace"), campaign=of_point(sent["campaign_id"], "ext4/iozone"))

    error_of(put(sent), 409)
    assert not Campaign.objects.exists()


def test_runs_that_came_before_their_own_campaign_are_no_hindrance(put: Any, owner: User) -> None:
    sent = campaign_document()
    store_run(owner, campaign=of_point(sent["campaign_id"], "ext4/iozone"))

    assert put(sent).status_code == 201


@pytest.mark.parametrize("scope", [Scope.READ, Scope.QUEUE, Scope.SERVE])
def test_without_the_scope_upload_nothing_is_announced(put: Any, owner: User, scope: Scope) -> None:
    error_of(put(campaign_document(), secret=make_token(owner, scope)[1]), 403)


def test_without_a_valid_token_nothing_is_announced(put: Any, owner: User) -> None:
    revoked, secret = make_token(owner)
    Token.objects.filter(pk=revoked.pk).update(revoked_at=timezone.now())

    for bad in ("nonsense", secret):
        error_of(put(campaign_document(), secret=bad), 401)


def test_every_fault_is_listed_and_nothing_stored(put: Any) -> None:
    sent = skipped(campaign_document(), 1, "why")
    sent["points"][2] |= {"id": sent["points"][0]["id"], "target": "zfs"}
    sent["points"][1]["reason"] = None
    sent["points"][3]["reason"] = "for no reason"
    sent["plan"]["text"] = "a\x00b"
    sent["colour"] = "red"
    del sent["started_at"]

    error = error_of(put(sent), 422)

    assert {fault["pointer"]: fault["value"] for fault in error["faults"]} == {
        "/colour": "red",
        "/started_at": None,
        "/plan/text": "a\x00b",
        "/points/1/reason": None,
        "/points/2/id": "ext4/mkfs",
        "/points/2/target": "zfs",
        "/points/3/reason": "for no reason",
    }
    assert "no such field in benchdb.campaign/1" in [fault["expected"] for fault in error["faults"]]
    assert not Campaign.objects.exists()


@pytest.mark.parametrize("body", [b" ", b"[]", b"{", b"\xff", b'{"points": ' + b"[" * 100_000, b"null", b"1e999"])
def test_what_is_no_document_is_refused_in_the_same_shape(put: Any, body: bytes) -> None:
    error_of(put(None, campaign_id=uuid7(), body=body), 422)


def test_the_id_in_the_document_is_the_one_in_the_address(put: Any) -> None:
    error = error_of(put(campaign_document(), campaign_id=uuid7()), 422)

    assert error["faults"][0]["pointer"] == "/campaign_id"


def test_an_id_is_of_version_7_so_that_lists_are_sorted_by_time(put: Any) -> None:
    error = error_of(put({**campaign_document(), "campaign_id": str(uuid4())}), 422)

    assert [fault["pointer"] for fault in error["faults"]] == ["/campaign_id"]


def test_no_point_hides_another_in_the_matrix(put: Any) -> None:
    sent = campaign_document()
    sent["points"][1]["workload"] = "mkfs"

    assert [fault["pointer"] for fault in error_of(put(sent), 422)["faults"]] == ["/points/1/workload"]


def test_a_body_that_is_larger_than_any_campaign_is_refused(put: Any) -> None:
    sent = campaign_document(targets=["t" * 150] * 2)
    sent["points"][0]["reason"] = "x" * MOST_INFLATED

    error_of(put(sent), 413)


def test_ten_thousand_points_are_taken_and_not_one_more(put: Any) -> None:
    most = campaign_document([f"t{i}" for i in range(100)], [f"w{i}" for i in range(100)])
    more = campaign_document([f"t{i}" for i in range(101)], [f"w{i}" for i in range(100)])

    assert put(most).status_code == 201
    assert "/points" in [fault["pointer"] for fault in error_of(put(more), 422)["faults"]]


def test_a_campaign_is_read_with_every_point(client: Client, owner: User) -> None:
    sent = skipped(campaign_document(), 2, "this kernel does not know xfs")
    campaign = store_campaign(owner, sent)
    run = store_run(owner, campaign=of_point(campaign.pk, "ext4/iozone"))
    store_campaign(owner, ended(sent, "stopped", reason="Stopped by SIGTERM."))

    read = client.get(f"/api/v1/campaigns/{campaign.pk}").json()

    assert (read["plan"], read["machine"], read["state"]) == ("tiny", "epyc-2", "stopped")
    assert read["tally"] == {"finished": 1, "skipped": 1, "missing": 2}
    points = {point["id"]: point for point in read["points"]}
    assert (points["ext4/iozone"]["run"], points["ext4/iozone"]["rounds"]) == (f"http://testserver/runs/{run.pk}/", 3)
    assert points["xfs/mkfs"]["reason"] == "this kernel does not know xfs"
    assert read["ended"]["reason"] == "Stopped by SIGTERM."


def test_its_version_changes_with_all_that_its_page_shows(client: Client, owner: User) -> None:
    sent = campaign_document()
    campaign = store_campaign(owner, sent)

    def version() -> str:
        return str(client.get(f"/api/v1/campaigns/{campaign.pk}/state").json()["version"])

    versions = [version()]
    store_run(owner, campaign=of_point(campaign.pk, "ext4/iozone"))
    versions.append(version())
    store_campaign(owner, ended(sent))
    versions.append(version())
    assert len(set(versions)) == 3
    assert version() == versions[-1]


@pytest.mark.parametrize("announced", [True, False])
def test_its_version_is_that_of_its_page_and_reads_no_points(
    client: Client, owner: User, announced: bool, django_assert_num_queries: Any
) -> None:
    campaign = store_campaign(owner).pk if announced else uuid7()
    for point in ("ext4/iozone", "ext4/iozone", "xfs/iozone"):
        store_run(owner, campaign=of_point(campaign, point))
    store_run(owner, visibility="private", campaign=of_point(campaign, "xfs/mkfs"))

    with django_assert_num_queries(3) as queries:
        status = client.get(f"/api/v1/campaigns/{campaign}/state").json()

    whole = campaign_status(UUID(str(campaign)), AnonymousUser())
    assert whole is not None
    assert (status["state"], status["version"]) == (whole.state, whole.version)
    assert ".3." in status["version"]
    assert not any('"points"' in query["sql"] for query in queries)


@pytest.mark.parametrize("path", ["", "/state"])
def test_a_private_campaign_is_its_owners_alone(client: Client, owner: User, path: str) -> None:
    campaign = store_campaign(owner, visibility="private")
    address = f"/api/v1/campaigns/{campaign.pk}{path}"
    _, mine = make_token(owner, Scope.READ)
    _, others = make_token(make_user("eve"), Scope.READ)

    error_of(client.get(address), 404)
    error_of(client.get(address, headers={"Authorization": f"Bearer {others}"}), 404)
    assert client.get(address, headers={"Authorization": f"Bearer {mine}"}).status_code == 200


def test_the_published_schema_takes_what_the_server_takes(client: Client) -> None:
    schema = client.get("/api/v1/schemas/campaign/1").json()
    jsonschema_rs.meta.validate(schema)
    validator = jsonschema_rs.Draft202012Validator(schema)

    validator.validate(json.loads(encoded(ended(skipped(campaign_document(), 0, "why")))))
    assert not validator.is_valid({**campaign_document(), "colour": "red"})
