"""Campaigns, queued plans, machines and permalinks count too, and are refused by the quotas that they would exceed."""

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connections
from django.http import HttpResponse
from django.test import Client

from benchdb.catalog.models import Machine
from benchdb.compare.models import Permalink
from benchdb.compare.permalinks.services import canonical
from benchdb.ingest.models import Scope
from benchdb.plans.models import Campaign, Job
from benchdb.quotas.limits import Amount, QuotaExceeded
from benchdb.quotas.models import OwnQuota, Usage
from benchdb.quotas.services import used_by
from benchdb.runs.models import Run
from tests.support.api import error_of
from tests.support.campaigns import PLAN, campaign_document, ended, make_machine, store_campaign
from tests.support.comparing.comparisons import compared_runs, ids
from tests.support.documents import KIB, MIB, document, encoded
from tests.support.html import read
from tests.support.store import make_token, make_user, store_run
from tests.support.threads import at_once

NUMBERS = count(1)


def new_machine() -> dict[str, str]:
    """A machine that no other document names."""
    number = next(NUMBERS)
    return {"machine_id": f"{number:064x}", "name": f"vm-{number}"}


def sent(owner: User, method: str, path: str, body: Any) -> HttpResponse:
    """The answer to a request with a new token of the owner."""
    token = make_token(owner, *Scope)[1]
    headers = {"Authorization": f"Bearer {token}"}
    return Client().generic(method, f"/api/v1/{path}", encoded(body), "application/json", headers=headers)


def campaign(owner: User, **sections: Any) -> HttpResponse:
    """A new campaign of a new machine."""
    body = campaign_document(machine=new_machine(), **sections)
    return sent(owner, "PUT", f"campaigns/{body['campaign_id']}", body)


def plan(owner: User, text: str = PLAN) -> HttpResponse:
    """A plan for both machines of the owner."""
    names = [make_machine(owner, name, id_ * 32).name for name, id_ in (("epyc-2", "5a"), ("arm-1", "6b"))]
    return sent(owner, "POST", "queue", {"plan": text, "machines": names})


def claim(owner: User) -> HttpResponse:
    """The first request for work of a new machine."""
    machine = new_machine()
    asking = {"machine_id": machine["machine_id"], "machine_name": machine["name"], "agent_version": "0.2.0"}
    return sent(owner, "POST", "queue/claim", asking)


def run(owner: User) -> HttpResponse:
    """A run on a new machine."""
    body = document(machine=new_machine())
    return sent(owner, "PUT", f"runs/{body['run_id']}", body)


def rows() -> list[int]:
    """The number of rows of everything that these requests store."""
    return [model.objects.count() for model in (Campaign, Job, Machine, Run)]


@pytest.mark.parametrize(
    ("request_of", "quota", "limit"),
    [
        (campaign, "campaigns", "1"),
        (campaign, "campaigns", "none/1"),
        (campaign, "machines", "1"),
        (campaign, "bytes", "0"),
        (plan, "plans", "2"),
        (plan, "plans", "none/3"),
        (plan, "bytes", "none/0"),
        (claim, "machines", "1"),
        (run, "machines", "1"),
    ],
)
def test_what_exceeds_a_quota_is_refused_as_a_whole(
    owner: User, settings: Any, request_of: Callable[[User], HttpResponse], quota: str, limit: str
) -> None:
    assert request_of(owner).status_code in (201, 204)
    before, stored = used_by(owner.pk), rows()
    settings.QUOTAS = {**settings.QUOTAS, quota: limit}

    error = error_of(request_of(owner), 507)

    assert error["code"] == "quota_exceeded"
    of = "site" if "/" in limit else "account"
    assert error["faults"][0]["pointer"] == f"/quota/{of}/{quota}"
    assert (used_by(owner.pk), rows()) == (before, stored)


@pytest.mark.parametrize(
    "request_of",
    [
        lambda owner: campaign(owner, plan={**campaign_document()["plan"], "text": "x" * 300 * KIB}),
        lambda owner: plan(owner, f"{PLAN}\n# {'x' * 60 * KIB}"),
    ],
    ids=["campaigns", "queued plans"],
)
def test_no_account_stores_more_bytes_than_its_quota(
    owner: User, settings: Any, request_of: Callable[[User], HttpResponse]
) -> None:
    """Campaigns and queued plans did not count, and a quota of 1 MiB did not limit their texts."""
    settings.QUOTAS = {**settings.QUOTAS, "bytes": "1"}
    assert {request_of(owner).status_code for _ in range(10)} == {201, 507}
    assert 0.5 * MIB < used_by(owner.pk).document_bytes <= MIB


def test_a_stored_campaign_may_end_beyond_the_quota(owner: User, settings: Any) -> None:
    body = campaign_document()
    address = f"campaigns/{body['campaign_id']}"
    assert sent(owner, "PUT", address, body).status_code == 201
    assert used_by(owner.pk) == Amount(document_bytes=len(encoded(body)), campaigns=1, machines=1)
    settings.QUOTAS = {**settings.QUOTAS, "campaigns": "0", "bytes": "0", "machines": "0"}
    assert sent(owner, "PUT", address, ended(body)).status_code == 200
    assert Campaign.objects.get().state == "finished"


def test_the_form_of_a_plan_shows_the_quota(ada: Client, owner: User, settings: Any) -> None:
    settings.QUOTAS = {**settings.QUOTAS, "plans": "0"}
    form = {"plan": PLAN, "machines": [make_machine(owner).pk], "visibility": "private"}
    page = read(ada.post("/plans/new/", form), 422)
    assert "The quota of this account for queued plans is 0; 0 are used, and this would add 1." in page.text
    assert not Job.objects.exists()


def test_campaigns_announced_at_the_same_moment_stay_within_the_quota(transactional_db: None) -> None:
    owner = make_user("ada")
    OwnQuota.objects.create(owner=owner, quota="campaigns", most=1)

    def announce() -> str:
        try:
            store_campaign(owner)
        except QuotaExceeded:
            return "refused"
        finally:
            connections.close_all()
        return "stored"

    assert sorted(at_once([announce] * 3)) == ["refused", "refused", "stored"]
    assert Usage.objects.get().campaigns == Campaign.objects.count() == Machine.objects.count() == 1


def test_recount_counts_campaigns_plans_and_machines(owner: User, capsys: pytest.CaptureFixture[str]) -> None:
    store_run(owner)
    for request_of in (campaign, plan, claim):
        assert request_of(owner).status_code in (201, 204)
    Usage.objects.update(machines=Machine.objects.count())  # `plan` makes them itself
    right = used_by(owner.pk)
    assert (right.runs, right.campaigns, right.plans, right.machines) == (1, 1, 2, 4)
    Usage.objects.update(campaigns=7, plans=0, machines=0, document_bytes=0)

    call_command("recount")

    assert used_by(owner.pk) == right
    assert "1 campaigns, 2 queued plans, 4 machines instead of 1 runs, " in capsys.readouterr().out


def test_the_content_of_a_permalink_counts_as_a_document(owner: User) -> None:
    query, before = ids(compared_runs(owner)), used_by(owner.pk)
    limit = OwnQuota.objects.create(owner=owner, quota="bytes", most=0)
    assert error_of(share(owner, query), 507)["faults"][0]["pointer"] == "/quota/account/bytes"
    assert (Permalink.objects.count(), used_by(owner.pk)) == (0, before)

    limit.delete()
    assert [share(owner, query).status_code for _ in range(2)] == [201, 200]

    size = len(canonical(Permalink.objects.get().content))
    right = used_by(owner.pk)
    assert right == before + Amount(document_bytes=size)
    call_command("recount")
    assert used_by(owner.pk) == right


def share(owner: User, query: str) -> HttpResponse:
    """A permalink of a table."""
    return sent(owner, "POST", "permalinks", {"query": query})
