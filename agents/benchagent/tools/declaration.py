"""What the runner knows of a tool."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Callable

from benchagent.toml.tables import Parameters


@dataclass(frozen=True)
class Context:
    """What a command line depends on besides the workload's parameters.

    `files` says where the files lie that parameters name, by their names in the plan. Without it a command line has the
    plan's names: so it is recorded, the same on every machine.
    """

    seed: int
    root: bool
    files: Mapping[str, str] = field(default_factory=dict)

    def path(self, name: str) -> str:
        """What to call a file that a parameter names."""
        return self.files.get(name, name)


@dataclass(frozen=True)
class Tool:
    """`arguments` turns parameters into what follows the program's name; the tool runs in the target's directory.

    `source` says what brings the tool where it is missing; `explain` says it where that is more than a name.
    `artifact` names its raw output. With one of the exit codes in `partial` the tool says that some tests failed, which
    its output tells one by one. Standard error that is only `progress` is kept where the tool failed.
    `cold` turns parameters into what is run instead where the caches are emptied between tests: the arguments of one or
    more invocations, each after the caches were emptied. A tool without it runs once, after that.
    """

    name: str
    program: str
    source: str
    artifact: str
    arguments: Callable[[Parameters, Context], list[str]]
    find: Callable[[], str | None]
    partial: frozenset[int] = frozenset()
    progress: bool = False
    explain: Callable[[], str] | None = None
    cold: Callable[[Parameters, Context], list[list[str]]] | None = None

    @property
    def missing(self) -> str:
        """What to tell a person where `find` finds nothing."""
        return self.explain() if self.explain else f"{self.program} is not installed ({self.source})"

    def command(self, parameters: Parameters, context: Context) -> list[str]:
        """The command line with the program's bare name: it is the same on every machine and every round."""
        return [self.program, *self.arguments(parameters, context)]

    def commands(self, parameters: Parameters, context: Context, *, cold: bool) -> list[list[str]]:
        """The command lines of one round."""
        if not cold or self.cold is None:
            return [self.command(parameters, context)]
        return [[self.program, *arguments] for arguments in self.cold(parameters, context)]


def sizes(parameters: Parameters, key: str) -> list[int]:
    """The sizes under `key`, in bytes; a single size is a list of one, an absent one an empty list."""
    value = parameters.get(key, [])
    return [int(size) for size in (value if isinstance(value, list) else [value])]


def names(parameters: Parameters, key: str) -> list[str]:
    value = parameters.get(key, [])
    return [str(name) for name in value] if isinstance(value, list) else []
