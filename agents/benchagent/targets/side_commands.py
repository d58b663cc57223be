"""The commands of the sides of a gate: setup, undo, and those that load and remove kernel modules."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Callable

from benchagent.errors import PreparationError
from benchagent.plan.model import KernelModule
from benchagent.system.process import run
from benchagent.system.programs import find_program

LONGEST = 600.0  # seconds of one command
COMMAND, MODULE = "command", "module"  # what the undo of a side does, in the journal
LOADED = Path("/proc/modules")


def run_command(words: tuple[str, ...], tick: Callable[[], None] = lambda: None) -> None:
    """Run a command to its end. Raises PreparationError with its error message."""
    program = find_program(words[0])
    if program is None:
        raise PreparationError(f"{words[0]} is not installed")
    outcome = run(words, executable=program, timeout=LONGEST, tick=tick)
    if not outcome.ok:
        raise PreparationError(f"{' '.join(words)}: {outcome.error}")


def shell(command: str) -> tuple[str, ...]:
    return ("sh", "-c", command)


def is_loaded(module: str) -> bool:
    """Whether the kernel has the module; it lists hyphens as underscores."""
    listed = module.replace("-", "_")
    return any(line.split(" ", 1)[0] == listed for line in LOADED.read_text().splitlines())


def load(module: KernelModule, tick: Callable[[], None]) -> None:
    """Load the module in place of one with its name. Raises PreparationError with the error message of the command."""
    unload(module.name)
    command = ("insmod", module.file) if module.file is not None else ("modprobe", module.name)
    run_command((*command, *module.parameters), tick)


def unload(module: str) -> bool:
    """Remove a module if it is loaded, and return whether it was. Raises PreparationError."""
    loaded = is_loaded(module)
    if loaded:
        run_command(("rmmod", module))
    return loaded


def undo_side(noted: Mapping[str, str]) -> bool:
    """Undo a change of a side from its journal entry; whether there was something to do. Raises PreparationError."""
    if MODULE in noted:
        return unload(noted[MODULE])
    run_command(shell(noted[COMMAND]))
    return True
