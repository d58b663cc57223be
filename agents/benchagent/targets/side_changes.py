"""Changes of the machine for a visit of one side of a gate; all are undone after it, also after a kill."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from benchagent.plan.model import GateSide
from benchagent.system.programs import replacing
from benchagent.system.undo import Undo

from .journal_undo import SIDE
from .prepared_target import TickCallback
from .side_commands import COMMAND, MODULE, load, run_command, shell
from .work_directory import WorkDirectory


@contextmanager
def changed(side: GateSide | None, work: WorkDirectory, tick: TickCallback) -> Iterator[None]:
    """The side's programs, modules and setup in force.

    Raises PreparationError with the error message of the command that failed, NotUndone if its undo fails. Undo is run
    also after a setup that failed or was stopped halfway.
    """
    if side is None:
        yield
        return
    with replacing(dict(side.programs)), Undo() as undo:
        for module in side.modules:
            work.note(undo, SIDE, path=side.name, old={MODULE: module.name})
            load(module, tick)
        if side.undo is not None:
            work.note(undo, SIDE, path=side.name, old={COMMAND: side.undo})
        if side.setup is not None:
            run_command(shell(side.setup), tick)
        yield
