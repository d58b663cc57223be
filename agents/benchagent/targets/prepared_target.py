"""A prepared target, as the measuring code uses it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

from benchagent.errors import PreparationError
from benchagent.inventory import Source
from benchagent.plan.model import Target
from benchagent.system.interrupts import held
from benchagent.system.process import Outcome, run
from benchagent.system.programs import find_program

from . import loop, tunables

MOUNT = "mount"
TickCallback = Callable[[], None]


class StepFailed(PreparationError):
    """A command of the preparation failed; `test` names the step."""

    def __init__(self, test: str, words: str) -> None:
        super().__init__(words)
        self.test = test


@dataclass(frozen=True)
class PreparationStep:
    """A timed step of the preparation, which is a test of its own."""

    test: str
    outcome: Outcome


@dataclass
class Mounted:
    """A file system that the agent created on the device `node`, mounted at `point` or not.

    `drop` drops the cached pages of the device below, while the file system is unmounted.
    """

    target: Target
    node: str
    point: Path
    source: Source
    tick: TickCallback
    drop: Callable[[], None]
    notes: list[str] = field(default_factory=list)

    def mount(self) -> PreparationStep:
        """Mount the file system. Raises PreparationError with the error message of mount."""
        options = ("-o", ",".join(self.target.mount_options)) if self.target.mount_options else ()
        command = ("mount", "-t", self.target.file_system, *options, self.node, str(self.point))
        with held:
            mounted = step(MOUNT, command, self.point.parent, self.tick)
            self._set_own_read_ahead()
        return mounted

    def unmount(self) -> None:
        """Unmount the file system if it is mounted. Raises PreparationError with its users."""
        with held:
            if self.is_mounted():
                loop.unmount(self.point)

    def is_mounted(self) -> bool:
        """Whether the table of mounts lists the file system; stat fails on a file system that was shut down."""
        point = self.point.parent.resolve() / self.point.name
        return point in loop.mounts_under(point.parent)

    def empty_cache(self) -> None:
        """Remount, so that neither the file system nor the device below keeps its data in memory."""
        with held:
            self.unmount()
            self.drop()
            self.mount()

    def _set_own_read_ahead(self) -> None:
        """Set the read-ahead of btrfs itself, which each mount resets."""
        file = tunables.own_read_ahead(str(self.point), self.source)
        if self.target.read_ahead is not None and file is not None:
            value = str(self.target.read_ahead // tunables.KIB)
            self.notes = tunables.write(file.parent, {file.name: value})


@dataclass(frozen=True)
class PreparedTarget:
    """A prepared target: the directory where tools run, and the steps that prepared it.

    `mounted` and `empty_cache` are set if the target can be remounted. Tools run in `control_group` if there is one.
    `notes` describe the settings that the kernel rounded; `aging` is `state_before.aging`.
    """

    directory: Path
    steps: tuple[PreparationStep, ...] = ()
    empty_cache: Callable[[], None] | None = None
    mounted: Mounted | None = None
    control_group: Path | None = None
    notes: tuple[str, ...] = ()
    aging: Mapping[str, object] | None = None


def step(test: str, command: tuple[str, ...], directory: Path, tick: TickCallback) -> PreparationStep:
    """Run one command of the preparation. Raises StepFailed with its error message.

    The command runs in `directory`, which is the agent's own, so that an option misread as a relative path matches
    nothing.
    """
    outcome = run(command, executable=find_program(command[0]), directory=directory, tick=tick)
    if not outcome.ok:
        raise StepFailed(test, f"{command[0]}: {outcome.error}")
    return PreparationStep(test, outcome)
