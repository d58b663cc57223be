"""Everything that the guard compares, by likely effect, the strongest first; and consequences of varied dimensions.

tests/compare/guard/test_contract.py checks this against every field of the contract: a new field must be guarded, or
listed there with a reason.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from benchdb.runs.models import Run

from .fact import Column, Guarded, GuardedOptions, matches
from .file_system import FILE_SYSTEM
from .machine import DETAILS, KERNEL, MACHINE
from .measuring import LAST, MEASURING, TOOL
from .stack import STORAGE, TUNED

NOT_DETECTED = ("declared", "published", "inferred")


def _provenance(run: Run) -> list[str]:
    """The facts that a person declared or published, and the facts that the machine contradicts."""
    texts = []
    for facts in (run.environment.facts, run.target.facts):
        texts += [
            f"{_words(pointer)} {how}"
            for pointer, how in (facts.get("provenance") or {}).items()
            if how in NOT_DETECTED
        ]
        texts += [f"{_words(clash['fact'])} contradicted" for clash in facts.get("contradictions") or []]
    return sorted(texts)


def _words(pointer: str) -> str:
    """`/raid_arrays/0/chunk` → `raid arrays chunk`."""
    return " ".join(part.replace("_", " ") for part in pointer.split("/") if part and not part.isdecimal())


GUARDED: Sequence[Guarded] = (
    *TOOL,
    *FILE_SYSTEM[:1],
    *MACHINE,
    *STORAGE,
    *MEASURING,
    *KERNEL,
    *TUNED,
    *FILE_SYSTEM[1:],
    *DETAILS,
    *LAST,
    GuardedOptions("provenance", "told, not detected", _provenance, "snapshots"),
)

# Columns that necessarily change with a dimension, and so are no differences of their own.
CONSEQUENCES = {
    "mkfs_options": (
        "features block_size inode_size stride stripe_width settings size file_system.* fill files free_fragments"
    ),
    "raid_level": "raid_layout stride stripe_width",
    "raid_chunk": "stride stripe_width",
    "disk": "drive.* disk.* disk_size",
    "transport": "drive.* disk.* disk_size",
    "governor": "cpu_governor",
    "cpu": "cpu_* architecture numa",
    "memory": "memory_* numa file_to_memory",
    "kernel": "kernel_build",
    "os": "kernel_options",
    "file_size": "parameter.*file_size* parameter.auto",
    "record_size": "parameter.*record_size* parameter.chunk_size parameter.auto",
    "threads": "parameter.threads",
    "test": "parameter.tests",
    "aging": "fill files extents free_fragments",
}
# If machines are compared on purpose, differences of their hardware are shown but are not severe.
HARDWARE = "cpu* memory* numa disk* drive.* controller* board.* raid_* layers layer.* virtualization swap architecture"


def consequences(varied: frozenset[str]) -> list[str]:
    """Patterns of the columns that follow from these dimensions, and the dimensions themselves."""
    keyed = {name.partition(":")[0].removesuffix("_option") + "_options" for name in varied if "_option:" in name}
    followed = " ".join(CONSEQUENCES.get(name, "") for name in {*varied, *(keyed & {"mkfs_options"})})
    return [*varied, *followed.split()]


def columns(runs: Sequence[Run], varied: frozenset[str], further: Sequence[Guarded] = ()) -> Iterator[Column]:
    """The facts of these runs that may differ; facts with equal fingerprints are skipped."""
    hidden, same = consequences(varied), _same(runs)
    for guarded in (*GUARDED, *further):
        if guarded.component not in same:
            yield from (column for column in guarded.columns(runs, varied) if not matches(column.name, hidden))


def _same(runs: Sequence[Run]) -> set[str]:
    """The components that all runs share, by the fingerprints of environments and the digests of targets."""
    fingerprints = [run.environment.fingerprints for run in runs]
    components = (
        {component for component in fingerprints[0] if _all_equal(of_run.get(component) for of_run in fingerprints)}
        if fingerprints
        else set()
    )
    if _all_equal(bytes(run.target.digest) for run in runs):
        components.add("target")
        if "storage" in components:
            components.add("disks")
        if _all_equal(bytes(run.environment.digest) for run in runs):
            components.add("snapshots")
    return components


def _all_equal(values: Iterator[Hashable]) -> bool:
    return len(set(values)) == 1
