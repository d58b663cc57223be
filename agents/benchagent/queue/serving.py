"""Executes the plans that a server has queued for this machine, one at a time, within the limits of the config file."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from benchagent import inventory
from benchagent.config import Config
from benchagent.errors import AgentError, NothingMeasured, PlanError, Stopped
from benchagent.measuring.execution import Execution, Setting
from benchagent.plan.model import Plan
from benchagent.plan.reading import load
from benchagent.plan.served import MOST_TEXT, faults_of, file_names
from benchagent.planning.adaptation import planned
from benchagent.progress import Reporter
from benchagent.server.client import Client, Patience
from benchagent.spool.delivering import deliver_all
from benchagent.spool.killed_agents import keep_killed
from benchagent.system.interrupts import OURS, ignored, raising

from .allowed import devices_of, faults_here, with_own_paths
from .job import (
    FAILED,
    FINISHED,
    GIVEN_BACK,
    LONGEST_REASON,
    REFUSED,
    HeldJob,
    Job,
    JobLost,
    JobOutcome,
    NoAnswer,
    Queue,
)
from .offer import Offer
from .reporting import CANCELLED, JobProgress, Reporting

LONGEST_PAUSE = 300.0  # seconds between two requests to an unreachable server
QUICK = Patience(attempts=1, timeout=10.0, whole=20.0)  # for messages about a job, which are repeated
DELIVERY = Patience(attempts=2)  # for documents, which may be large; they are sent again before the next claim


@dataclass(frozen=True)
class Agent:
    """The serving agent. `setting` applies to every plan, except for the visibility of runs, which each job sets."""

    setting: Setting
    config: Config
    client: Client
    tell: Reporter
    held: HeldJob
    offer: Offer | None = None

    @property
    def queue(self) -> Queue:
        return Queue(self.client.with_patience(QUICK), self.setting.machine, self.offer)


def serve(agent: Agent, every: float, *, once: bool = False, sleep: Callable[[float], None] = time.sleep) -> None:
    """Claim and execute jobs forever, with random pauses of about `every` seconds; with `once`, until no job waits.

    The pauses grow while the server is unreachable. Raises QueueRefused if only a person can help, and Stopped after
    the job was given back.
    """
    agent.tell.event("listening", server=agent.client.server, every=every)
    keep_killed(agent.setting.spool, agent.tell)
    pause = every
    while True:
        try:
            finish_left_over(agent)
            _deliver(agent)
            job = agent.queue.claim()
        except NoAnswer as why:
            agent.tell.event("unreported", why=str(why))
            pause = min(2 * pause, max(every, LONGEST_PAUSE))
            sleep(max(random.uniform(0.5, 1.0) * pause, why.not_before))
            continue
        pause = every
        if job is not None:
            carry_out(agent, job)
        elif once:
            return
        else:
            sleep(random.uniform(0.8, 1.2) * every)


def carry_out(agent: Agent, job: Job) -> None:
    """Execute one job and report its outcome. Raises Stopped if a signal stopped the agent."""
    source = agent.setting.source
    agent = replace(agent, setting=replace(agent.setting, environment=inventory.environment(source)))
    agent.held.take(job)
    stopped: int | None = None
    with raising():
        try:
            outcome = _carry_out(agent, job)
        except Stopped as error:
            stopped = error.number
            outcome = JobOutcome(GIVEN_BACK, str(error))
        stopped = stopped or ignored()
    if outcome is None:
        agent.held.clear()  # another agent has the job now
    else:
        outcome = replace(outcome, reason=inventory.scrubber(source).scrub(outcome.reason))
        agent.held.settle(job, outcome)
        agent.tell.event("job_finished", outcome=outcome.outcome, reason=outcome.reason)
        try:
            finish_left_over(agent)
        except NoAnswer as why:  # repeated at the next start or before the next claim
            agent.tell.event("unreported", why=str(why))
    if stopped is not None:
        raise Stopped(stopped)


def finish_left_over(agent: Agent) -> None:
    """Report the outcome of a stored job, or that its agent was killed.

    Raises NoAnswer if the server does not answer.
    """
    left = agent.held.read()
    if left is not None:
        job_id, lease, outcome = left
        with suppress(JobLost):  # another agent has the job, or it has ended
            agent.queue.finish(job_id, lease, outcome or JobOutcome(GIVEN_BACK, "The agent was killed."))
    agent.held.clear()


def _carry_out(agent: Agent, job: Job) -> JobOutcome | None:
    """The outcome of a job; None if the lease is lost.

    Raises Stopped if a signal and not the server stopped the job.
    """
    try:
        plan = read_served(agent, job)
    except PlanError as error:
        why = str(error.args[0])[:LONGEST_REASON]  # a plan of many wrong names has megabytes of reasons
        agent.tell.event("refused", why=why)
        return JobOutcome(REFUSED, why)
    agent.tell.event("claimed", plan=plan.name, job_id=job.job_id)
    progress = JobProgress(agent.tell)
    setting = replace(agent.setting, visibility=job.visibility, agreed=devices_of(plan))
    reporting = Reporting(agent.queue, job, progress)
    try:
        with reporting:
            execution = Execution(plan, job.plan, setting, agent.client, progress)
            execution.measure()
    except Stopped as error:
        if error.number != OURS or reporting.why is None:
            raise
        _deliver(agent)
        return JobOutcome(GIVEN_BACK, CANCELLED, progress.campaign_id) if reporting.why == CANCELLED else None
    except NothingMeasured as error:
        reasons = dict.fromkeys(record.skipped for record in execution.records if record.skipped)
        return JobOutcome(FAILED, "\n".join((str(error), *reasons)), progress.campaign_id)
    except AgentError as error:
        return JobOutcome(FAILED, str(error), progress.campaign_id)
    _deliver(agent)
    failed = sum(record.failed > 0 for record in execution.records)
    reason = f"{failed} of {len(execution.records)} points failed in some rounds." if failed else ""
    return JobOutcome(FINISHED, reason, execution.campaign_id)


def read_served(agent: Agent, job: Job) -> Plan:
    """The plan of a job. Raises PlanError with every reason if this machine does not accept it."""
    environment, source = agent.setting.environment, job.plan
    if len(source) > MOST_TEXT:
        raise PlanError(f"it has {len(source)} characters; expected at most {MOST_TEXT}")
    plan = load(source, (environment.get("memory") or {}).get("usable"))
    faults = [*faults_of(plan, job.files), *faults_here(plan, agent.config)]
    if faults:
        raise PlanError("\n".join(faults))
    with tempfile.TemporaryDirectory(prefix="benchagent-plan-") as folder:
        for name in file_names(plan):  # names in the plan, which its parser has checked; other files are ignored
            if name in job.files:
                _keep_file(Path(folder, name), name, job.files[name])
        return with_own_paths(planned(source, Path(folder), environment), agent.config)


def _keep_file(path: Path, name: str, text: str) -> None:
    """Write a file of a plan. Raises PlanError if there is no room, or if the plan names both `a` and `a/b`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        raise PlanError(f"its file {name} cannot be kept on this machine: {error.strerror}") from None


def _deliver(agent: Agent) -> None:
    """Send the waiting documents of the spool; a failure is reported, and the documents are sent later."""
    try:
        deliver_all(agent.setting.spool, agent.client.with_patience(DELIVERY), agent.tell)
    except AgentError as error:
        agent.tell.event("undelivered", why=str(error))
