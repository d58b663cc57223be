"""`/api/v1/queue`: queue, claim, report, finish, cancel; permissions, refusals, and one agent for each job."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from benchdb.catalog.models import Machine
from benchdb.ingest.models import Scope, Token
from benchdb.plans import queue
from benchdb.plans.models import Job, JobState, Listener
from benchdb.plans.tasks import expire_leases
from tests.support.api import error_of
from tests.support.campaigns import MACHINE_ID, PLAN, make_machine, queue_tiny
from tests.support.store import make_token, make_user
from tests.support.threads import at_once

ASKING = {"machine_id": MACHINE_ID, "machine_name": "epyc-2", "agent_version": "0.2.0"}
POINT = {"point": "directory/fsload", "round": "2", "share": 0.5, "left": 12.5}


def post(secret: str, path: str, body: Any, client: Client | None = None) -> HttpResponse:
    headers = {"Authorization": f"Bearer {secret}"}
    return (client or Client()).post(f"/api/v1/queue{path}", body, "application/json", headers=headers)


@pytest.fixture
def person(owner: User) -> str:
    """A token that may queue plans."""
    return make_token(owner, Scope.QUEUE)[1]


@pytest.fixture
def agent(owner: User) -> str:
    """A token of an agent."""
    return make_token(owner, Scope.UPLOAD, Scope.SERVE)[1]


@pytest.fixture
def machine(owner: User) -> Machine:
    return make_machine(owner)


def claimed(agent: str) -> dict[str, Any]:
    answer = post(agent, "/claim", ASKING)
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


def let_lease_run_out(job_id: str) -> None:
    Job.objects.filter(pk=job_id).update(lease_ends_at=timezone.now() - timedelta(seconds=1))


def test_a_plan_waits_for_each_of_its_machines(person: str, owner: User, machine: Machine) -> None:
    make_machine(owner, "arm-1", "6b" * 32)

    answer = post(person, "", {"plan": PLAN, "machines": ["epyc-2", "arm-1"], "visibility": "unlisted"})

    assert answer.status_code == 201, answer.content
    jobs = answer.json()["jobs"]
    assert [(job["machine"], job["state"], job["plan"]) for job in jobs] == [
        ("epyc-2", "waiting", "tiny"),
        ("arm-1", "waiting", "tiny"),
    ]
    assert {job.visibility for job in Job.objects.all()} == {"unlisted"}
    assert jobs[0]["url"] == f"http://testserver/plans/{jobs[0]['id']}/"


def test_all_faults_of_what_is_queued_are_listed_and_nothing_is_queued(
    person: str, owner: User, machine: Machine
) -> None:
    make_machine(owner, "twin", "01" * 32)
    make_machine(owner, "twin", "02" * 32)
    make_machine(make_user("eve"), "eves", "03" * 32)
    plan = PLAN.replace('"fsload"', '"rm -rf"').replace("rounds = 2", "rounds = 0")

    error = error_of(post(person, "", {"plan": plan, "machines": ["epyc-2", "epyc-2", "eves", "twin"]}), 422)

    places = [fault["pointer"] for fault in error["faults"]]
    assert places == ["/machines/1", "/machines/2", "/machines/3", "/plan", "/plan"]
    assert any("rm -rf" in fault["expected"] for fault in error["faults"])
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"plan": PLAN, "machines": []},
        {"plan": PLAN, "machines": "epyc-2"},
        {"plan": PLAN, "machines": ["epyc-2"], "visibility": "secret"},
        {"plan": "a\x00", "machines": ["epyc-2"]},
        {"plan": "\ud800", "machines": ["epyc-2"]},
        {"plan": 7, "machines": ["epyc-2"]},
        {"plan": PLAN, "machines": ["a\x00b"]},
        {"plan": "x" * 70_000, "machines": ["epyc-2"]},
        {"plan": "a = " + "[" * 5000, "machines": ["epyc-2"]},
        [],
    ],
)
def test_what_cannot_be_queued_is_refused_in_the_one_shape(person: str, machine: Machine, body: Any) -> None:
    error_of(post(person, "", body), 422)
    assert not Job.objects.exists()


def test_a_plan_with_more_combinations_than_there_can_be_is_refused_at_once(person: str, machine: Machine) -> None:
    values = ", ".join(map(str, range(100)))
    vary = "[targets.vary]\n" + "".join(
        f"{key} = [{values}]\n" for key in ("nr_requests", "size", "read_ahead", "scheduler", "wipe", "sparse")
    )
    plan = PLAN.replace('kind = "directory"', f'kind = "image"\nsize = "1 GiB"\nfile_system = "ext4"\n{vary}')

    error_of(post(person, "", {"plan": plan, "machines": ["epyc-2"]}), 422)


def test_no_more_plans_wait_for_a_machine_than_anybody_means(
    person: str, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "MOST_WAITING", 1)
    queue_tiny(machine)

    assert error_of(post(person, "", {"plan": PLAN, "machines": ["epyc-2"]}), 409)["code"] == "queue_full"


def test_each_door_wants_its_own_scope(owner: User, machine: Machine) -> None:
    job = queue_tiny(machine)
    doors = {
        "": Scope.QUEUE,
        f"/{job.pk}/cancel": Scope.QUEUE,
        "/claim": Scope.SERVE,
        f"/{job.pk}/report": Scope.SERVE,
        f"/{job.pk}/finish": Scope.SERVE,
    }
    bodies = {"": {"plan": PLAN, "machines": ["epyc-2"]}, "/claim": ASKING}
    lease = {"lease": str(uuid4()), "progress": {}, "outcome": "finished"}
    for path, scope in doors.items():
        error_of(Client().post(f"/api/v1/queue{path}", bodies.get(path, lease), "application/json"), 401)
        for other in set(Scope) - {scope}:
            body = bodies.get(
                path, {k: v for k, v in lease.items() if k in ("lease", "progress")} if "report" in path else lease
            )
            error_of(post(make_token(owner, other)[1], path, body), 403)
    job.refresh_from_db()
    assert (job.state, Job.objects.count()) == ("waiting", 1)


def test_an_agent_claims_reports_and_finishes(agent: str, machine: Machine) -> None:
    job = queue_tiny(machine)

    got = claimed(agent)

    assert (got["job_id"], got["plan"], got["files"], got["visibility"]) == (str(job.pk), PLAN, {}, "private")
    campaign = str(uuid4())
    report = {"lease": got["lease"], "campaign_id": campaign, "progress": POINT}
    assert post(agent, f"/{job.pk}/report", report).json()["go_on"] is True
    job.refresh_from_db()
    assert (job.state, job.progress["point"], str(job.campaign_id)) == ("running", "directory/fsload", campaign)
    for _ in range(2):  # an agent repeats the request if the answer got lost
        done = post(agent, f"/{job.pk}/finish", {"lease": got["lease"], "outcome": "finished"})
        assert (done.status_code, done.json()) == (200, {"state": "finished"})
    assert post(agent, "/claim", ASKING).status_code == 204


def test_jobs_are_taken_in_the_order_they_were_queued_one_at_a_time(agent: str, machine: Machine) -> None:
    first, second = queue_tiny(machine), queue_tiny(machine)

    got = claimed(agent)

    assert got["job_id"] == str(first.pk)
    assert post(agent, "/claim", ASKING).status_code == 204
    post(agent, f"/{first.pk}/finish", {"lease": got["lease"], "outcome": "failed", "reason": "no disk"})
    assert claimed(agent)["job_id"] == str(second.pk)
    first.refresh_from_db()
    assert (first.state, first.reason) == ("failed", "no disk")


def test_an_agent_gets_its_own_machines_jobs_only(agent: str, owner: User, machine: Machine) -> None:
    queue_tiny(make_machine(owner, "arm-1", "6b" * 32))
    eve = make_user("eve")
    queue_tiny(make_machine(eve))  # the same machine id with another owner

    assert post(agent, "/claim", ASKING).status_code == 204
    assert claimed(make_token(eve, Scope.SERVE)[1])["job_id"]


def test_a_token_serves_the_first_machine_that_uses_it(agent: str, owner: User) -> None:
    assert post(agent, "/claim", ASKING).status_code == 204
    queue_tiny(make_machine(owner, "arm-1", "6b" * 32))

    error = error_of(post(agent, "/claim", {**ASKING, "machine_id": "6b" * 32, "machine_name": "stolen"}), 403)

    assert error["code"] == "another_machine"
    assert set(Machine.objects.values_list("name", flat=True)) == {"epyc-2", "arm-1"}
    assert Token.objects.get(machine__name="epyc-2").allows(Scope.SERVE)


def test_a_machine_is_known_as_soon_as_its_agent_asks(agent: str, person: str) -> None:
    error_of(post(person, "", {"plan": PLAN, "machines": ["epyc-2"]}), 422)
    post(agent, "/claim", ASKING)

    assert post(person, "", {"plan": PLAN, "machines": ["epyc-2"]}).status_code == 201
    assert Listener.objects.get(machine__name="epyc-2").is_there


@pytest.mark.parametrize(
    "change",
    [
        {"machine_id": "5A" * 32},
        {"machine_id": "5a"},
        {"machine_id": None},
        {"machine_name": ""},
        {"machine_name": "x" * 201},
        {"machine_name": "a\x00"},
        {"machine_name": "a\u202e"},
        {"agent_version": "\udcff"},
    ],
)
def test_who_asks_says_who_it_is(agent: str, change: dict[str, Any]) -> None:
    error_of(post(agent, "/claim", {**ASKING, **change}), 422)
    assert not Machine.objects.exists()


@pytest.mark.parametrize(
    "progress",
    [{"share": 2}, {"share": -1}, {"left": -1}, {"point": "x" * 300}, {"points_done": 1.5}, {"round": "\x00"}],
)
def test_progress_that_cannot_be_is_refused(agent: str, machine: Machine, progress: Any) -> None:
    job = queue_tiny(machine)
    got = claimed(agent)

    error_of(post(agent, f"/{job.pk}/report", {"lease": got["lease"], "progress": progress}), 422)
    job.refresh_from_db()
    assert job.progress is None


def test_without_the_lease_nobody_reports_or_finishes(agent: str, owner: User, machine: Machine) -> None:
    job = queue_tiny(machine)
    got = claimed(agent)
    eve = make_token(make_user("eve"), Scope.SERVE)[1]

    for secret, lease in ((agent, str(uuid4())), (eve, got["lease"])):
        assert (
            error_of(post(secret, f"/{job.pk}/report", {"lease": lease, "progress": {}}), 409)["code"] == "lease_lost"
        )
        error_of(post(secret, f"/{job.pk}/finish", {"lease": lease, "outcome": "finished"}), 409)
    job.refresh_from_db()
    assert (job.state, job.reports) == ("running", 0)


def test_a_lease_that_runs_out_gives_the_job_back_until_it_is_given_up(agent: str, machine: Machine) -> None:
    job = queue_tiny(machine)
    leases = []
    for _ in range(queue.MOST_CLAIMS):
        got = claimed(agent)
        leases.append(got["lease"])
        let_lease_run_out(got["job_id"])

    assert post(agent, "/claim", ASKING).status_code == 204
    job.refresh_from_db()
    assert job.state == "failed"
    assert "3 times" in job.reason
    assert len(set(leases)) == queue.MOST_CLAIMS
    error_of(post(agent, f"/{job.pk}/report", {"lease": leases[-1], "progress": {}}), 409)


def test_the_sweep_gives_back_what_no_agent_asks_for_and_leaves_the_rest(
    agent: str, owner: User, machine: Machine
) -> None:
    job = queue_tiny(machine)
    claimed(agent)
    assert expire_leases() == 0
    let_lease_run_out(str(job.pk))

    assert expire_leases() == 1

    job.refresh_from_db()
    assert (job.state, job.reason) == ("waiting", "The agent stopped reporting.")
    assert expire_leases() == 0


def test_a_report_renews_the_lease(agent: str, machine: Machine) -> None:
    job = queue_tiny(machine)
    got = claimed(agent)
    Job.objects.filter(pk=job.pk).update(lease_ends_at=timezone.now() + timedelta(seconds=1))

    post(agent, f"/{job.pk}/report", {"lease": got["lease"], "progress": {}})

    job.refresh_from_db()
    assert job.lease_ends_at is not None
    assert job.lease_ends_at > timezone.now() + queue.LEASE / 2


def test_an_agent_that_was_cut_off_goes_on_unless_somebody_else_took_the_job(agent: str, machine: Machine) -> None:
    job = queue_tiny(machine)
    got = claimed(agent)
    let_lease_run_out(str(job.pk))
    expire_leases()
    report = {"lease": got["lease"], "progress": POINT}

    assert post(agent, f"/{job.pk}/report", report).json()["go_on"] is True
    job.refresh_from_db()
    assert job.state == "running"
    assert post(agent, "/claim", ASKING).status_code == 204

    let_lease_run_out(str(job.pk))
    again = claimed(agent)
    error_of(post(agent, f"/{job.pk}/report", report), 409)
    error_of(post(agent, f"/{job.pk}/finish", {"lease": got["lease"], "outcome": "finished"}), 409)
    assert post(agent, f"/{job.pk}/report", {**report, "lease": again["lease"]}).status_code == 200


def test_a_job_that_is_given_back_waits_again(agent: str, machine: Machine) -> None:
    job = queue_tiny(machine)
    got = claimed(agent)
    finish = {"lease": got["lease"], "outcome": "given_back", "reason": "Stopped by SIGTERM."}

    assert post(agent, f"/{job.pk}/finish", finish).json() == {"state": "waiting"}
    assert claimed(agent)["job_id"] == str(job.pk)


def test_a_job_that_waits_is_cancelled_at_once(agent: str, person: str, machine: Machine) -> None:
    job = queue_tiny(machine)

    for _ in range(2):
        assert post(person, f"/{job.pk}/cancel", {}).json()["state"] == "cancelled"
    assert post(agent, "/claim", ASKING).status_code == 204


def test_the_agent_of_a_cancelled_job_is_told_to_stop(agent: str, person: str, machine: Machine) -> None:
    job = queue_tiny(machine)
    got = claimed(agent)

    assert post(person, f"/{job.pk}/cancel", {}).json()["state"] == "running"
    assert post(agent, f"/{job.pk}/report", {"lease": got["lease"], "progress": {}}).json()["go_on"] is False
    finish = {"lease": got["lease"], "outcome": "given_back", "reason": "It was cancelled."}
    assert post(agent, f"/{job.pk}/finish", finish).json() == {"state": "cancelled"}


def test_a_cancelled_job_whose_agent_is_gone_is_over_when_its_lease_is(agent: str, machine: Machine) -> None:
    job = queue_tiny(machine)
    claimed(agent)
    queue.cancel(job)
    let_lease_run_out(str(job.pk))

    expire_leases()

    job.refresh_from_db()
    assert job.state == "cancelled"


def test_a_job_is_its_owners_alone(person: str, agent: str, machine: Machine, client: Client, owner: User) -> None:
    job = queue_tiny(machine)
    eve = make_user("eve")
    address = f"/api/v1/queue/{job.pk}"

    error_of(post(make_token(eve, Scope.QUEUE)[1], f"/{job.pk}/cancel", {}), 404)
    error_of(client.get(address), 404)
    error_of(client.get(address, headers={"Authorization": f"Bearer {make_token(eve, Scope.READ)[1]}"}), 404)
    assert client.get(address, headers={"Authorization": f"Bearer {person}"}).json()["state"] == "waiting"
    client.force_login(owner)
    before = client.get(address).json()["version"]
    claimed(agent)
    assert client.get(address).json()["version"] != before


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    """Simultaneous requests on separate database connections."""

    def test_twenty_agents_claim_one_job_and_exactly_one_gets_it(self) -> None:
        owner = make_user("ada")
        machine = make_machine(owner)
        secret = make_token(owner, Scope.SERVE)[1]
        for _ in range(3):
            job = queue_tiny(machine)

            answers = at_once([lambda: post(secret, "/claim", ASKING)] * 20)

            assert sorted(answer.status_code for answer in answers) == [200] + [204] * 19
            (got,) = [answer.json() for answer in answers if answer.status_code == 200]
            assert got["job_id"] == str(job.pk)
            job.refresh_from_db()
            assert (job.claims, str(job.lease)) == (1, got["lease"])
            queue.finish(owner, job.pk, job.lease, "finished", "", None)

    def test_of_many_jobs_a_machine_gets_one_at_a_time(self) -> None:
        machine = make_machine(make_user("ada"))
        for _ in range(5):
            queue_tiny(machine)

        got = at_once([lambda: queue.claim(machine)] * 20)

        assert len([job for job in got if job is not None]) == 1
        assert Job.objects.filter(state=JobState.RUNNING).count() == 1

    def test_two_machines_get_each_its_own(self) -> None:
        owner = make_user("ada")
        machines = [make_machine(owner, f"m{i}", f"{i:02d}" * 32) for i in range(4)]
        jobs = {queue_tiny(machine).pk for machine in machines}

        got = at_once([lambda machine=machine: queue.claim(machine) for machine in machines * 3])

        assert ({job.pk for job in got if job is not None}, len([job for job in got if job is not None])) == (jobs, 4)

    def test_an_overdue_lease_and_a_late_report_have_one_winner(self) -> None:
        owner = make_user("ada")
        machine = make_machine(owner)
        for _ in range(5):
            queue_tiny(machine)
            job = queue.claim(machine)
            assert job is not None
            let_lease_run_out(str(job.pk))

            def late(job: Job = job) -> str:
                try:
                    assert job.lease is not None
                    queue.report(owner, job.pk, job.lease, {}, None)
                except queue.LeaseLost:
                    return "lost"
                return "kept"

            def take() -> str:
                return "taken" if queue.claim(machine) else "nothing"

            outcome = sorted(at_once([late, take]))

            assert outcome in (["kept", "nothing"], ["lost", "taken"])
            Job.objects.update(state=JobState.FINISHED)
