"""The facts of runs that may differ; and consequences of varied dimensions.

tests/compare/guard/test_contract.py checks the facts against every field of the contract: a new field must be guarded,
or listed there with a reason.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from benchdb.facts.fact import Fact
from benchdb.facts.guarding import Column, matches
from benchdb.facts.registry import BY_NAME, GUARDED
from benchdb.runs.models import Run

# Columns that necessarily change with a dimension of results, and so are no differences of their own.
CONSEQUENCES = {
    "file_size": "parameter.*file_size* parameter.auto",
    "record_size": "parameter.*record_size* parameter.chunk_size parameter.auto",
    "threads": "parameter.threads",
    "test": "parameter.tests",
}


def consequences(varied: frozenset[str]) -> list[str]:
    """Patterns of the columns that follow from these dimensions, and the dimensions themselves."""
    keyed = {name.partition(":")[0].removesuffix("_option") + "_options" for name in varied if "_option:" in name}
    followed = " ".join(_followed(name) for name in {*varied, *(keyed & {"mkfs_options"})})
    return [*varied, *followed.split()]


def _followed(name: str) -> str:
    return BY_NAME[name].follow if name in BY_NAME and name not in CONSEQUENCES else CONSEQUENCES.get(name, "")


def columns(runs: Sequence[Run], varied: frozenset[str], further: Sequence[Fact] = ()) -> Iterator[Column]:
    """The facts of these runs that may differ; facts with equal fingerprints are skipped."""
    hidden, same = consequences(varied), _same(runs)
    for fact in (*GUARDED, *further):
        guard = fact.guard
        if guard is not None and guard.component not in same:
            yield from (column for column in guard.columns(fact, runs, varied) if not matches(column.name, hidden))


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
