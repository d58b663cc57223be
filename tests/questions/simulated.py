"""Simulated runs to ask about: a designed campaign of 2⁵ points, and configurations on several machines."""

import itertools
from typing import Any
from uuid import uuid4

import numpy as np
from django.contrib.auth.models import User

from benchdb.runs.models import Run
from tests.support.documents import GIB, KIB, MIB, environment, result, target
from tests.support.store import store_run

LOG = 1e8
ROUNDS = 3
# The logarithms of the true effects; those of the other facts and pairs are 0.
EFFECTS = {"scheduler": 0.25, "mount option sync": -0.4, "read-ahead": 0.0, "mkfs -O": 0.1, "mount option commit": 0.0}
INTERACTION = 0.3  # of scheduler and sync: what sync changes about the effect of the scheduler


def measured(log: float, rng: np.random.Generator, noise: float = 0.02) -> list[dict[str, Any]]:
    """One result of three rounds around exp(log) · 10⁸ bytes a second."""
    values = LOG * np.exp(log + rng.normal(0, noise, ROUNDS))
    return [result(values.tolist(), "random_write", file_size=GIB, record_size=4 * KIB)]


def storage(**changes: Any) -> dict[str, Any]:
    """The target of most tests with mount `options`, `features` for mkfs, and other keys of the target."""
    found = target(changes.pop("file_system", "ext4"))
    found["mount"]["options"] = ["rw", *changes.pop("options", [])]
    found["file_system"]["mkfs_command"] += changes.pop("mkfs", [])
    return {**found, **changes}


def designed_campaign(owner: User, seed: int = 1) -> str:
    """Store a run for each of the 32 points of five factors; returns the id of the campaign."""
    rng, campaign = np.random.default_rng(seed), str(uuid4())
    for point, levels in enumerate(itertools.product([0, 1], repeat=5)):
        scheduler, sync, read_ahead, journal, commit = levels
        log = sum(effect * level for effect, level in zip(EFFECTS.values(), levels, strict=True))
        log += INTERACTION * (scheduler - 0.5) * (sync - 0.5) + rng.normal(0, 0.03)
        place = storage(
            options=[*["sync"] * sync, f"commit={(5, 30)[commit]}"],
            mkfs=["-O", "^has_journal"] * journal,
            scheduler=("mq-deadline", "none")[scheduler],
            read_ahead=(MIB, 2 * MIB)[read_ahead],
        )
        section = {"id": campaign, "point": f"p{point}"}
        store_run(owner, rounds=ROUNDS, results=measured(log, rng), target=place, campaign=section)
    return campaign


def on_machine(number: int, **hardware: Any) -> dict[str, Any]:
    """The sections of a document of a machine; `memory` and `threads` as in its environment, `disk` the disk layer."""
    place = environment()
    place["memory"]["total"] = place["memory"]["usable"] = hardware.get("memory", 8 * GIB)
    place["cpu"]["threads"] = hardware.get("threads", 32)
    return {"machine": {"name": f"m{number}", "machine_id": f"{number:02x}" * 32}, "environment": place}


def configurations(owner: User, machines: int, effects: dict[str, float], runs: int = 2, **hardware: Any) -> list[Run]:
    """Runs of file systems with these logarithms of effects on each of some machines."""
    rng = np.random.default_rng(machines)
    stored = []
    for number in range(machines):
        for file_system, effect in effects.items():
            for _ in range(runs):
                log = effect + number + rng.normal(0, 0.01)
                place = storage(file_system=file_system)
                place["stack"][1] |= hardware.get("disk", {})
                sections = on_machine(number, **hardware)
                results = measured(log, rng)
                stored.append(store_run(owner, rounds=ROUNDS, results=results, target=place, **sections))
    return stored
