"""The agent's own directory during one run, with the state that lasts from one visit of a target to the next."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Callable

from benchagent.errors import AgentError, NotUndone, PreparationError
from benchagent.inventory import Source
from benchagent.plan.model import Target
from benchagent.system.interrupts import held
from benchagent.system.journal import Journal
from benchagent.system.open_directory import OpenDirectory
from benchagent.system.orphans import end_orphans
from benchagent.system.other_users import without_links
from benchagent.system.owned_directory import contents, owned
from benchagent.system.undo import Undo

from . import control_group, loop
from .devices import Device
from .journal_undo import GROUP, QUEUE, SCRATCH, SIDE, undo_entry

OptionSet = tuple[str, tuple[str, ...], tuple[str, ...]]  # a file system, its mkfs options and its mount options


@dataclass(frozen=True)
class Aged:
    """An aged image and its `state_before.aging`."""

    image: Path
    facts: Mapping[str, object]


@dataclass
class WorkDirectory:
    """The directory of the images and the journal. `seed` is that of the plan; `memory`, in bytes, its limit.

    `agreed` holds the devices, by path, that a person allows the run to format; `ours` the signatures that the run
    itself left on them; `reasons` why targets cannot be prepared; `refused` the results of probing their options.
    """

    path: Path
    seed: int = 0
    memory: int | None = None
    source: Source = field(default_factory=Source)
    agreed: dict[str, Device] = field(default_factory=dict)
    ours: dict[str, tuple[str, ...]] = field(default_factory=dict)
    aged: dict[str, Aged] = field(default_factory=dict)
    reasons: dict[Target, str | None] = field(default_factory=dict)
    refused: dict[OptionSet, str | None] = field(default_factory=dict)
    control_group: Path | None = None
    why_no_group: str | None = None

    def __post_init__(self) -> None:
        # The kernel names mounts and backing files without symbolic links. The last component must not be one: see
        # `owned`.
        self.path = without_links(self.path.absolute().parent) / self.path.name

    @contextmanager
    def opened(self, tell: Callable[[str], None] = lambda words: None) -> Iterator[WorkDirectory]:
        """Lock the directory, clean up after a killed agent, and undo everything at the end.

        `tell` is called with a description of everything that a killed agent left.
        """
        with owned(self.path) as directory:
            clear(directory, tell)
            self.journal = Journal(self.path)
            with Undo() as undo:
                undo.add(self._remove_aged)
                if self.memory is not None:
                    with held:
                        self._limit(self.memory, undo)
                yield self

    def note(self, undo: Undo, kind: str, path: str, old: Mapping[str, str] | None = None) -> None:
        """Enter a coming change into the journal, and add its reversal to `undo`."""
        undo.add(undo_entry, self.journal, self.journal.note(kind, path, old))

    def _limit(self, memory: int, undo: Undo) -> None:
        parent = control_group.find_parent(self.source)
        if parent is None:
            self.why_no_group = "no control group here can limit memory"
            return
        group = parent.directory / f"benchagent-{secrets.token_hex(8)}"
        self.note(undo, GROUP, path=str(group))
        try:
            control_group.create(group, parent.version, memory)
            self.control_group = group
        except PreparationError as error:
            self.why_no_group = str(error)

    def _remove_aged(self) -> None:
        for aged in self.aged.values():
            aged.image.unlink(missing_ok=True)
        self.aged.clear()


UndoStep = Callable[[], Iterable[str]]


def clear(directory: OpenDirectory, tell: Callable[[str], None]) -> None:
    """Undo what is left and journaled in an owned work directory; `tell` is called with a description of each step.

    Raises NotUndone after the last step, with the messages of all failed steps.
    """
    stuck: list[str] = []
    try:
        journal = Journal(directory.path)
    except PreparationError as error:
        stuck.append(str(error))
        journal = None
    for step in _steps(directory, journal):
        try:
            for words in step():
                tell(words)
        except (AgentError, OSError) as error:
            stuck.append(str(error))
    if stuck:
        raise NotUndone("\n".join(stuck))


def _steps(directory: OpenDirectory, journal: Journal | None) -> Iterator[UndoStep]:
    """The steps in their order; the search for each kind of leftovers begins when the previous steps are done."""
    yield partial(end_orphans, directory.path)
    yield from _journaled(journal, GROUP)
    for point in loop.mounts_under(directory.path):
        yield partial(_unmount, point)
    yield from _journaled(journal, QUEUE)  # before the loop device is detached, which others may use next
    for device in loop.loops_under(directory.path):
        yield partial(_detach, device)
    for name in contents(directory):
        yield partial(_remove, directory, name)
    yield from _journaled(journal, SCRATCH)
    yield from _journaled(journal, SIDE)  # a module can be removed only after everything that uses it


def _journaled(journal: Journal | None, kind: str) -> Iterator[UndoStep]:
    """Undo the journal's entries of one kind, newest first: the oldest entry of a setting has its original value."""
    if journal is None:
        return
    for entry in reversed(journal.entries):
        if entry["undo"] == kind:
            yield partial(undo_entry, journal, entry)


def _unmount(point: Path) -> list[str]:
    loop.unmount(point)
    return [f"unmounted {point}"]


def _detach(device: Path) -> list[str]:
    loop.detach(device)
    return [f"detached {device}"]


def _remove(directory: OpenDirectory, name: str) -> list[str]:
    """Remove an image or a mount point. A mount point with content stays: something is still mounted there."""
    path = directory.path / name
    try:
        try:
            os.unlink(name, dir_fd=directory.descriptor)
        except IsADirectoryError:
            os.rmdir(name, dir_fd=directory.descriptor)
    except OSError as error:
        raise PreparationError(f"Cannot remove {path}, left behind by an earlier run: {error.strerror}.") from None
    return [f"removed {path}"]
