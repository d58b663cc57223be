"""Finds results of different work that have the same identity."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from benchagent.formats.model import Result
from benchagent.formats.uniqueness import Identity, identity
from benchagent.toml.tables import Parameters

Affected = Callable[[str], bool]


@dataclass(frozen=True)
class Work:
    """What a workload measured. `parameters` are those of the plan that describe its work."""

    name: str
    parameters: Parameters
    results: tuple[Result, ...]

    def identities(self) -> dict[Identity, str]:
        """The tests by identity."""
        return {
            identity(each.test, each.metric, each.file_size, each.record_size, each.threads, each.params): each.test
            for each in self.results
        }


def same_identities(works: Iterable[Work], affected_by: Callable[[str, str], Affected]) -> list[str]:
    """A sentence for each test of two workloads whose work differs and whose results do not.

    `affected_by(command, parameter)` tells which tests do other work if a parameter of a command differs.
    """
    found = []
    for first, second in combinations(works, 2):
        commands = (first.parameters.get("command", ""), second.parameters.get("command", ""))
        affected = [affected_by(str(commands[0]), name) for name in differing(first.parameters, second.parameters)]
        other_command = commands[0] != commands[1]
        mine, others = first.identities(), second.identities()
        same = {mine[key] for key in mine.keys() & others.keys()}
        tests = [test for test in sorted(same) if other_command or any(of(test) for of in affected)]
        found += [f"{test} of {first.name} and {second.name}" for test in tests]
    return found


def differing(first: Mapping[str, object], second: Mapping[str, object]) -> list[str]:
    """The names under which two mappings have different values."""
    return sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))
