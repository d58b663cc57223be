"""A prepared target, as those who measure on it see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable

from benchagent.errors import PreparationError
from benchagent.inventory import Source
from benchagent.plan.model import Target
from benchagent.system.interrupts import held
from benchagent.system.process import Outcome, run
from benchagent.system.programs import find_program

from . import loop, tunables

MOUNT = "mount"
Tick = Callable[[], None]


class StepFailed(PreparationError):
    """A command of the preparation failed; `test` says which step it was."""

    def __init__(self, test: str, words: str) -> None:
        super().__init__(words)
        self.test = test


@dataclass(frozen=True)
class Step:
    """A timed step of the preparation: the test it is, and how it went."""

    test: str
    outcome: Outcome


@dataclass
class Mounted:
    """A file system that the agent made, on the device `node`, mounted at `point` or not. `drop` empties what the cache
    holds of the device below, while it is unmounted."""

    target: Target
    node: str
    point: Path
    source: Source
    tick: Tick
    drop: Callable[[], None]
    notes: list[str] = field(default_factory=list)

    def mount(self) -> Step:
        """Raises PreparationError in mount's words."""
        options = ("-o", ",".join(self.target.mount_options)) if self.target.mount_options else ()
        command = ("mount", "-t", self.target.file_system, *options, self.node, str(self.point))
        with held():
            mounted = step(MOUNT, command, self.point.parent, self.tick)
            self._set_own_read_ahead()
        return mounted

    def unmount(self) -> None:
        """Nothing where it is not mounted. Raises PreparationError with what holds it."""
        with held():
            if self.is_mounted():
                loop.unmount(self.point)

    def is_mounted(self) -> bool:
        """Not by stat, which a file system that went down answers with an error."""
        point = self.point.parent.resolve() / self.point.name
        return point in loop.mounts_under(point.parent)

    def empty_cache(self) -> None:
        """Remount, so that neither the file system nor the device below has anything of it in memory."""
        with held():
            self.unmount()
            self.drop()
            self.mount()

    def _set_own_read_ahead(self) -> None:
        """btrfs has a read-ahead of its own, which each mount begins with anew and which ends with it."""
        file = tunables.own_read_ahead(str(self.point), self.source)
        if self.target.read_ahead is not None and file is not None:
            value = str(self.target.read_ahead // tunables.KIB)
            self.notes = tunables.write(file.parent, {file.name: value})


@dataclass(frozen=True)
class Place:
    """A prepared target: the directory where tools run, and what was done to make it.

    `mounted` and `empty_cache` are there where the target can be remounted. Tools run in `control_group` where there is
    one. `notes` say what the kernel made of settings that it did not take literally; `aging` is `state_before.aging`.
    """

    directory: Path
    steps: tuple[Step, ...] = ()
    empty_cache: Callable[[], None] | None = None
    mounted: Mounted | None = None
    control_group: Path | None = None
    notes: tuple[str, ...] = ()
    aging: Mapping[str, Any] | None = None


def step(test: str, command: tuple[str, ...], directory: Path, tick: Tick) -> Step:
    """Run one command of the preparation. Raises StepFailed with its words.

    It runs in `directory`, the agent's own: an option that is taken for a relative path then finds nothing.
    """
    outcome = run(command, executable=find_program(command[0]), directory=directory, tick=tick)
    if not outcome.ok:
        raise StepFailed(test, f"{command[0]}: {outcome.error}")
    return Step(test, outcome)
