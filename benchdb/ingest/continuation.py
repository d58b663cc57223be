"""A run that continues another one: checked against it, and put in its place."""

from __future__ import annotations

from collections.abc import Iterator

from django.contrib.auth.models import User

from benchdb.ingest.contract import Fault, FaultyDocument
from benchdb.ingest.contract.document import Continues
from benchdb.ingest.contract.faults import pointer, shown
from benchdb.runs.models import Run, RunState

SAME = {  # fields of runs that must be equal, and where a document has them
    "machine_id": ("machine",),
    "environment_id": ("environment",),
    "target_id": ("target",),
    "tool": ("workload", "tool"),
    "tool_version": ("workload", "tool_version"),
    "command": ("workload", "command"),
    "parameters": ("workload", "parameters"),
    "campaign_point": ("campaign", "point"),
}
PROTOCOL = ("cache", "order", "prepare", "seed", "warmup_discarded")


def continued_run(run: Run, continues: Continues, owner: User) -> RunState:
    """The state of the run that `run`, not stored yet, continues; locked, so that no other run continues it meanwhile.

    Raises FaultyDocument with every fault: only the same owner may continue a run, once, on the same machine and target
    with the same workload, and the document repeats its rounds. Otherwise n would not count rounds of one sequence.
    """
    states = RunState.objects.select_related("run").select_for_update(of=("self",))
    state = states.filter(pk=continues.run_id, owner=owner).first()
    if state is None:
        raise FaultyDocument([_fault(continues.run_id, "a stored run of the same owner", "continues", "run_id")])
    if faults := list(_faults(run, state.run, continues)):
        raise FaultyDocument(faults)
    return state


def _faults(run: Run, earlier: Run, continues: Continues) -> Iterator[Fault]:
    if other := Run.objects.filter(continues=earlier.pk).values_list("pk", flat=True).first():
        expected = f"a run that was not continued yet; continue {other}, which continues it"
        yield _fault(continues.run_id, expected, "continues", "run_id")
    if continues.look != earlier.look + 1:
        yield _fault(continues.look, f"{earlier.look + 1}, the next look", "continues", "look")
    if continues.rounds != earlier.round_count:
        yield _fault(continues.rounds, f"{earlier.round_count}, the rounds of that run", "continues", "rounds")
    elif [round_["started_at"] for round_ in run.rounds[: continues.rounds]] != [
        round_["started_at"] for round_ in earlier.rounds
    ]:
        yield Fault(pointer("rounds"), None, f"first the rounds of run {earlier.pk}, then the new ones")
    for name, path in SAME.items():
        if getattr(run, name) != getattr(earlier, name):
            yield _fault(getattr(run, name), f"that of run {earlier.pk}", *path)
    for name in PROTOCOL:
        if run.protocol.get(name) != earlier.protocol.get(name):
            yield _fault(run.protocol.get(name), f"that of run {earlier.pk}", "protocol", name)


def _fault(value: object, expected: str, *path: str) -> Fault:
    return Fault(pointer(*path), shown(str(value)), expected)
