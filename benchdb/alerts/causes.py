"""The candidate causes of a change, and the targets of a plan that restores some of them."""

from __future__ import annotations

from dataclasses import dataclass

from benchagent.plan.served import refused_mount_options
from benchdb.compare.content import ChangedFact
from benchdb.compare.guard import changes
from benchdb.compare.trend.history import PASSING
from benchdb.facts.file_system import COMMON_OPTIONS
from benchdb.facts.guarding import matches
from benchdb.facts.registry import BY_NAME
from benchdb.facts.storage import TUNABLES
from benchdb.facts.stored import StoredTarget
from benchdb.plans.again import NoPlan, TomlValues, image_target
from benchdb.runs.models import Run

from .models import StoredCause

OLD, NEW = "old", "new"  # the names of the targets
OF_MKFS = ["mkfs_options", *BY_NAME["mkfs_options"].follow.split()]


@dataclass(frozen=True, slots=True)
class BothTargets:
    """The settings before and after a change as targets of a plan."""

    old: TomlValues
    new: TomlValues

    @property
    def differ(self) -> bool:
        """Whether a plan can restore any difference."""
        return {**self.old, "name": ""} != {**self.new, "name": ""}


def causes_of(before: Run, after: Run) -> list[StoredCause]:
    """The facts that differ between two runs, by likely effect."""
    facts = [fact for fact in changes(before, after) if fact.name not in PASSING]
    mkfs = any(fact.name == "mkfs_options" for fact in facts)
    return [
        StoredCause(
            name=fact.name,
            label=fact.label,
            before=fact.before,
            after=fact.after,
            restored=_is_restored(fact, before, after, mkfs=mkfs),
        )
        for fact in facts
    ]


def _is_restored(fact: ChangedFact, before: Run, after: Run, *, mkfs: bool) -> bool:
    kind = after.target.kind
    if fact.name in TUNABLES:
        return kind in ("image", "directory")
    if kind != "image" or before.target.kind != kind:
        return False
    if fact.name == "mount_options":
        return not refused_mount_options(after.target.file_system or "", _differing_options(before, after))
    return mkfs and matches(fact.name, OF_MKFS)


def targets_of(before: Run, after: Run) -> BothTargets:
    """The targets before and after. Raises NoPlan with the reason if a plan cannot have such targets."""
    return BothTargets(_target(before, after, OLD), _target(after, before, NEW))


def _target(run: Run, other: Run, name: str) -> TomlValues:
    """The target of the run, with those settings that differ from the other run."""
    return {"name": name, **_base(run, other), **_tunables(run, other)}


def _base(run: Run, other: Run) -> TomlValues:
    if run.target.kind == "directory":
        return {"kind": "directory"}
    image = image_target(run)
    if image is None:
        raise NoPlan("the target is neither a directory nor an image that a plan can make again")
    common = COMMON_OPTIONS.intersection(run.target.mount_options or ())
    differing = set(_differing_options(run, other)).intersection(run.target.mount_options or ())
    allowed = [
        option
        for option in sorted(common | differing)
        if not refused_mount_options(run.target.file_system or "", [option])
    ]
    return {**image, "mount_options": allowed} if allowed else image


def _differing_options(run: Run, other: Run) -> list[str]:
    return sorted(set(run.target.mount_options or ()).symmetric_difference(other.target.mount_options or ()))


def _tunables(run: Run, other: Run) -> TomlValues:
    """The tunables that differ and are known on both sides."""
    facts: StoredTarget = run.target.facts
    of_other: StoredTarget = other.target.facts
    pairs = {
        "scheduler": (run.target.scheduler, other.target.scheduler),
        "read_ahead": (run.target.read_ahead, other.target.read_ahead),
        "nr_requests": (facts.get("nr_requests"), of_other.get("nr_requests")),
    }
    return {name: own for name, (own, others) in pairs.items() if None not in (own, others) and own != others}
