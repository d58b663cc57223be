"""`/plans/`, `/plans/new/`, `/plans/ID/`: queue a plan, see all its faults, watch and cancel it; only for its owner."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from benchdb.plans import queue
from benchdb.plans.models import Job, Listener
from benchdb.plans.plan_texts import read_plan, shipped_plans, shipped_text
from tests.support.campaigns import PLAN, campaign_document, make_machine, queue_tiny, store_campaign
from tests.support.html import read
from tests.support.store import make_user
from tests.texts import missing_in

JOBS = """
[[workloads]]
tool = "fio"
jobs = "[<script>]\\nexec_prerun=id"
"""
MIX = PLAN.split("file_sizes")[0] + 'command = "mix"\nprofile = "mine.ffsb"\n'


def sent(machine: Any, **fields: Any) -> dict[str, Any]:
    return {"plan": PLAN, "machines": [machine.pk], "visibility": "private", **fields}


def test_who_is_not_signed_in_is_asked_to(client: Client, owner: User) -> None:
    job = queue_tiny(make_machine(owner))

    for path in ("/plans/", "/plans/new/", f"/plans/{job.pk}/"):
        assert client.get(path)["Location"] == f"/login/?next={path}"
    for path in ("/plans/new/", f"/plans/{job.pk}/cancel/"):
        assert client.post(path, sent(job.machine))["Location"].startswith("/login/")
    job.refresh_from_db()
    assert (job.state, Job.objects.count()) == ("waiting", 1)


def test_a_pasted_plan_waits_for_its_machine(ada: Client, owner: User) -> None:
    machine = make_machine(owner)

    answer = ada.post("/plans/new/", sent(machine, plan=PLAN.replace("\n", "\r\n"), visibility="public"))

    job = Job.objects.get()
    assert answer["Location"] == f"/plans/{job.pk}/"
    assert (job.plan_text, job.plan_name, job.machine, job.visibility) == (PLAN, "tiny", machine, "public")
    page = read(ada.get(answer["Location"]))
    assert not missing_in(page.text, "agent not connected", 'kind = "directory"')


def test_a_plan_for_several_machines_leads_to_the_queue(ada: Client, owner: User) -> None:
    machines = [make_machine(owner), make_machine(owner, "arm-1", "6b" * 32)]

    answer = ada.post("/plans/new/", sent(machines[0], machines=[machine.pk for machine in machines]))

    assert answer["Location"] == "/plans/"
    rows = read(ada.get("/plans/")).tables["Queued plans"][1:]
    assert {(row[0].text, row[1].text, row[3].text) for row in rows} == {
        ("tiny", "epyc-2", "waiting"),
        ("tiny", "arm-1", "waiting"),
    }


def test_every_fault_is_shown_and_what_was_entered_stays(ada: Client, owner: User) -> None:
    machine = make_machine(owner)
    plan = PLAN.replace("rounds = 2", "rounds = 0").replace('tool = "fsload"', 'tool = "rm -rf /"') + "# <script>"

    answer = ada.post("/plans/new/", sent(machine, plan=plan))

    page = read(answer, 422)
    assert not missing_in(page.text, "rounds is 0; expected", "tool is 'rm -rf /'", "# <script>")
    assert "<script>" not in answer.content.decode().replace("<script src=", "")
    assert ("input", "checkbox") in [(tag, a.get("type")) for tag, a in page.elements if "checked" in a]
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"plan": ""}, "Paste a plan"),
        ({"machines": []}, "Choose at least one machine."),
        ({"machines": ["0"]}, "You have no such machine."),
        ({"machines": ["x"]}, "You have no such machine."),
        ({"visibility": "secret"}, "not one of the available choices"),
        ({"plan": 'a = "\x00"'}, "Null characters are not allowed"),
        ({"plan": "x" * 100_000}, "expected at most 65536"),
        ({"plan": MIX}, "files that BenchDB ships"),
        ({"plan": f"{PLAN}{JOBS}"}, "line 2: 'exec_prerun=id'; a queued plan may not have the option exec_prerun"),
    ],
)
def test_what_cannot_be_queued_says_why(ada: Client, owner: User, fields: dict[str, Any], says: str) -> None:
    assert says in read(ada.post("/plans/new/", sent(make_machine(owner), **fields)), 422).text
    assert not Job.objects.exists()


def test_nobody_queues_for_somebody_elses_machine(ada: Client) -> None:
    machine = make_machine(make_user("eve"), "eves")

    assert "eves" not in read(ada.get("/plans/new/")).text
    read(ada.post("/plans/new/", sent(machine)), 422)
    assert not Job.objects.exists()


def test_a_full_queue_says_so(ada: Client, owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = make_machine(owner)
    monkeypatch.setattr(queue, "MOST_WAITING", 0)

    assert "0 plans wait for epyc-2 already" in read(ada.post("/plans/new/", sent(machine)), 422).text


@pytest.mark.parametrize("name", shipped_plans())
def test_every_shipped_plan_can_be_queued(ada: Client, owner: User, name: str) -> None:
    page = ada.get("/plans/new/", {"plan": name}).content.decode()
    text = shipped_text(name)

    assert text is not None
    assert text.splitlines()[-1] in page.replace("&quot;", '"').replace("&#x27;", "'")
    job = queue.queue_plan(owner, read_plan(text), [make_machine(owner)], "private")[0]  # type: ignore[arg-type]
    assert job.state == "waiting"


def test_a_job_is_cancelled_by_its_owner_alone(ada: Client, owner: User) -> None:
    job = queue_tiny(make_machine(owner))
    eve = Client()
    eve.force_login(make_user("eve"))

    read(eve.get(f"/plans/{job.pk}/"), 404)
    assert eve.post(f"/plans/{job.pk}/cancel/").status_code == 404
    assert ada.get(f"/plans/{job.pk}/cancel/").status_code == 405
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(owner)
    assert strict.post(f"/plans/{job.pk}/cancel/").status_code == 403
    assert ada.post(f"/plans/{job.pk}/cancel/")["Location"] == f"/plans/{job.pk}/"
    page = read(ada.get(f"/plans/{job.pk}/"))
    assert "It was cancelled." in page.text
    assert not [1 for tag, attributes in page.elements if "cancel" in (attributes.get("action") or "")]


def claimed(owner: User) -> tuple[Job, UUID]:
    """A queued plan that its machine has taken, with its lease."""
    job = queue_tiny(make_machine(owner))
    taken = queue.claim(job.machine)
    assert taken is not None
    assert taken.lease is not None
    return job, taken.lease


def test_a_running_job_shows_its_progress_and_that_it_is_being_stopped(ada: Client, owner: User) -> None:
    job, lease = claimed(owner)
    queue.report(owner, job.pk, lease, {"point": "directory/fsload", "round": "2", "share": 0.5}, None)

    page = read(ada.get(f"/plans/{job.pk}/"))
    (polled,) = [attributes for _, attributes in page.elements if "data-poll" in attributes]
    assert "50 % round 2, directory/fsload" in page.text
    assert ada.get(polled["data-poll"]).json()["version"] == polled["data-state"]
    ada.post(f"/plans/{job.pk}/cancel/")
    page = read(ada.get(f"/plans/{job.pk}/"))
    assert "stopping at the agent’s next report" in page.text
    assert ada.get(polled["data-poll"]).json()["version"] != polled["data-state"]


def test_a_job_leads_to_its_campaign_as_soon_as_the_server_knows_it(ada: Client, owner: User) -> None:
    job, lease = claimed(owner)
    announced = campaign_document()
    queue.report(owner, job.pk, lease, {}, UUID(announced["campaign_id"]))

    assert "Its campaign" not in read(ada.get(f"/plans/{job.pk}/")).links
    campaign = store_campaign(owner, announced)
    assert read(ada.get(f"/plans/{job.pk}/")).links["Its campaign"] == campaign.get_absolute_url()
    assert read(ada.get("/plans/")).links["its campaign"] == campaign.get_absolute_url()


def test_a_refused_job_says_why_line_by_line_as_text(ada: Client, owner: User) -> None:
    job, lease = claimed(owner)
    queue.finish(owner, job.pk, lease, "refused", "target a: <b>no</b>\ntarget b: no", None)

    html = ada.get(f"/plans/{job.pk}/").content.decode()

    assert "target a: &lt;b&gt;no&lt;/b&gt;<br>target b: no" in html


def test_machines_say_whether_their_agents_ask(ada: Client, owner: User) -> None:
    queue.listen(owner, "01" * 32, "here", "0.2.0")
    gone = queue.listen(owner, "02" * 32, "gone", "0.2.0")
    Listener.objects.filter(machine=gone).update(seen_at=timezone.now() - timedelta(hours=1))
    make_machine(owner, "never", "03" * 32)

    text = read(ada.get("/plans/")).text

    assert not missing_in(text, "gone agent last online", "here online", "never agent not connected")


def test_many_jobs_take_no_more_queries(ada: Client, owner: User) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            read(ada.get("/plans/"))
        return len(captured)

    queue_tiny(make_machine(owner))
    few = queries()
    for i in range(10):
        queue_tiny(make_machine(owner, f"m{i}", f"{i:02d}" * 32))

    assert queries() == few
