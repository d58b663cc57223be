"""Events on the machine that disturbed a round, and other load: sentences from the evidence of the rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from benchdb.facts.measuring import LARGE_SHARE
from benchdb.facts.stored import Scalar, StoredEvidence, StoredRound
from benchdb.runs.models import Run

MOST_ROUNDS = 5


class Kind(NamedTuple):
    """One of `benchagent`'s kinds of disturbance. `severe`: the numbers of the round cannot be trusted."""

    text: str
    severe: bool


KINDS = {
    "io_error": Kind("the kernel reported I/O errors", severe=True),
    "io_recovery": Kind("the kernel repeated commands to a disk or reset it", severe=True),
    "file_system_error": Kind("the kernel reported errors of a file system", severe=True),
    "oops": Kind("the kernel failed (oops)", severe=True),
    "lockup": Kind("a processor was locked up", severe=True),
    "hung_task": Kind("a process hung", severe=True),
    "oom_kill": Kind("the kernel killed a process for want of memory", severe=True),
    "machine_check": Kind("the hardware reported errors", severe=True),
    "clock_step": Kind("the clock was set", severe=True),
    "kernel_warning": Kind("the kernel warned of a fault of its own", severe=False),
    "thermal_throttling": Kind("the processor was slowed down because it was hot", severe=False),
    "raid_resync": Kind("a RAID array was resyncing", severe=False),
}


class Disturbance(NamedTuple):
    """`text` names the rounds."""

    text: str
    severe: bool


def disturbances(run: Run) -> Iterator[Disturbance]:
    """Each kind once, with its rounds; then other load."""
    stored_rounds: list[StoredRound] = run.rounds
    evidence: list[StoredEvidence] = [round_.get("evidence") or {} for round_ in stored_rounds]
    rounds_of: dict[str, list[int]] = {}
    for number, of_round in enumerate(evidence, start=1):
        for name, count in (of_round.get("disturbances") or {}).items():
            if count:
                rounds_of.setdefault(name, []).append(number)
    for name, rounds in sorted(
        rounds_of.items(), key=lambda item: list(KINDS).index(item[0]) if item[0] in KINDS else 99
    ):
        kind = KINDS.get(name) or Kind(name.replace("_", " "), severe=False)
        yield Disturbance(f"{_rounds(rounds)}: {kind.text}.", kind.severe)
    yield from _load([of_round.get("noise") or {} for of_round in evidence])


def _load(noise: Sequence[Mapping[str, Scalar]]) -> Iterator[Disturbance]:
    scores = [
        (score, number)
        for number, item in enumerate(noise, start=1)
        if isinstance(score := item.get("score"), int | float) and not isinstance(score, bool)
    ]
    loud = [number for score, number in scores if score >= LARGE_SHARE]
    if loud:
        worst, number = max(scores)
        text = f"{_rounds(loud)}: other load on the machine, worst in round {number} (noise score {worst:.0%})."
        yield Disturbance(text, severe=False)


def _rounds(numbers: list[int]) -> str:
    """`Round 3`, `Rounds 1, 2 and 5`, `Rounds 1, 2, 3, 4, 5 and 7 more`."""
    if len(numbers) == 1:
        return f"Round {numbers[0]}"
    if len(numbers) > MOST_ROUNDS:
        named, rest = numbers[:MOST_ROUNDS], f"{len(numbers) - MOST_ROUNDS} more"
    else:
        named, rest = numbers[:-1], str(numbers[-1])
    return f"Rounds {', '.join(map(str, named))} and {rest}"
