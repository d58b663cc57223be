"""The plan of `benchagent run --continue`: further rounds of points that were measured before."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchagent.documents.shape import RunDocument
from benchagent.errors import ContinuationRefused
from benchagent.inventory import Environment, MachineIdentity
from benchagent.plan.model import Plan
from benchagent.spool.campaigns import Campaigns
from benchagent.spool.store import PENDING, REJECTED, SENT, Spool

from .adaptation import planned


@dataclass(frozen=True)
class Continuation:
    """The plan of the further rounds with its text, and the documents that they continue, by point."""

    plan: Plan
    text: str
    earlier: Mapping[str, RunDocument]


def continued_runs(spool: Spool, run_ids: Sequence[str]) -> dict[str, RunDocument]:
    """The documents of these runs by point. Ids may be abbreviated.

    Raises UnknownRun for a run that this spool does not have, and ContinuationRefused, with every fault, for runs of
    several campaigns, for a point named twice, and for runs that were continued before or that the server refused.
    """
    newest = _continued_by(spool)
    found: dict[str, RunDocument] = {}
    faults, campaigns = [], set()
    for run_id in run_ids:
        state, whole = spool.find(run_id)
        document: RunDocument = json.loads(spool.read(state, whole))
        point = (document.get("campaign") or {}).get("point", "")
        campaigns.add((document.get("campaign") or {}).get("id"))
        if state == REJECTED:
            faults.append(f"run {whole} was refused by the server")
        if whole in newest:
            faults.append(f"run {whole} was continued as run {newest[whole]}; continue that one")
        if point in found:
            faults.append(f"two of the runs are of the point {point}")
        if not point:
            faults.append(f"run {whole} is not part of a campaign, so its plan is unknown")
        found[point] = document
    if len(campaigns) > 1:
        faults.append("the runs are of several campaigns; only points of one plan can be measured in turns")
    if faults:
        raise ContinuationRefused("\n".join(faults))
    return found


def continuation(
    spool: Spool,
    earlier: Mapping[str, RunDocument],
    rounds: int | None,
    machine: MachineIdentity,
    environment: Environment,
    directory: Path | None,
    file: tuple[str, Path] | None,
) -> Continuation:
    """The plan that measures these points for further `rounds`; without a number, as many as they have.

    `file` is the text of a plan and its folder; without it the plan is the one that the campaign announced. Raises
    PlanError, and ContinuationRefused if there is no plan, if it lacks a point, or if the machine has changed.
    """
    faults = sorted({fault for document in earlier.values() for fault in _changes(document, machine, environment)})
    if faults:
        raise ContinuationRefused("\n".join(faults))
    text, folder = file or (_announced(spool, earlier), Path())
    plan = planned(text, folder, environment, directory)
    if missing := sorted(set(earlier) - {point.id for point in plan.points()}):
        raise ContinuationRefused(f"the plan has no point {', '.join(missing)}")
    done = max(len(document["rounds"]) for document in earlier.values())
    measured = 1 + max(int(str(each["position"])) for document in earlier.values() for each in document["rounds"])
    further = replace(
        plan,
        rounds=rounds or done,
        min_rounds=1,
        time_budget=None,
        precision=None,
        done=done,
        measured=measured,
        only=frozenset(earlier),
    )
    return Continuation(further, text, earlier)


def _changes(document: RunDocument, machine: MachineIdentity, environment: Environment) -> Iterator[str]:
    """What is different from the machine of the document. The memory depends on the plan and is compared later."""
    if document["machine"]["machine_id"] != machine["machine_id"]:
        yield f"the runs are of another machine, {document['machine']['name']}"
    now: Mapping[str, object] = json.loads(json.dumps(environment))
    before: Mapping[str, object] = json.loads(json.dumps(document["environment"]))
    for key in now:
        if key != "memory" and now[key] != before.get(key):
            yield f"the machine's {key.replace('_', ' ')} changed"


def _announced(spool: Spool, earlier: Mapping[str, RunDocument]) -> str:
    campaign_id = str(next(iter(earlier.values()))["campaign"]["id"])
    announced = Campaigns(spool.directory).announced(campaign_id)
    if announced is None:
        raise ContinuationRefused(f"the plan of campaign {campaign_id} is not in this spool; name its file as PLAN")
    return announced["plan"]["text"]


def _continued_by(spool: Spool) -> dict[str, str]:
    """The newest run of each run in the spool that was continued."""
    found = {}
    for state in (PENDING, SENT):
        for run_id in spool.ids(state):
            data = spool.read(state, run_id)
            if b'"continues"' in data:
                continues = json.loads(data).get("continues")
                if isinstance(continues, dict):
                    found[str(continues.get("run_id"))] = run_id
    return found
