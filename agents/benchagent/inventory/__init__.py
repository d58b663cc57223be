"""Facts about the machine and about the target of a test, in the shapes of docs/result-format.md.

Everything is read through a `Source`: the running machine, or a recorded tree of another one. An unknown fact is None;
the inventory does not guess.
"""

from __future__ import annotations

from benchagent.inventory.privacy.private_names import scrubber

from .environment import environment as _environment
from .facts import Environment, Facts, MachineIdentity, TargetFacts, TargetState
from .identity import machine
from .source import Source
from .target import target as _target

__all__ = [
    "Environment",
    "Facts",
    "MachineIdentity",
    "Source",
    "TargetFacts",
    "TargetState",
    "environment",
    "machine",
    "scrubber",
    "target",
]


def environment(source: Source) -> Environment:
    """The contract's `environment` of the machine that `source` reads, scrubbed."""
    return _environment(source, scrubber(source).scrub)


def target(path: str, source: Source) -> tuple[TargetFacts, TargetState]:
    """The contract's `target` and `state_before` of the directory `path`, scrubbed.

    Raises FileNotFoundError if the path does not exist.
    """
    return _target(path, source, scrubber(source).scrub)
