"""The agent's own directory during one run, with the state that lasts from one visit of a target to the next."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

from benchagent.errors import PreparationError
from benchagent.inventory import Source
from benchagent.plan.model import Target
from benchagent.system.interrupts import held
from benchagent.system.journal import Journal
from benchagent.system.other_users import without_links
from benchagent.system.owned_directory import owned
from benchagent.system.undo import Undo

from . import control_group
from .cleaning import clear
from .devices import Device
from .journal_undo import GROUP, undo_entry

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
