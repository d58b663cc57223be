"""fsload, BenchDB's own C engine (agents/engine)."""

from __future__ import annotations

import os
import shutil
from functools import lru_cache
from pathlib import Path

from benchagent.inventory.identity import state_directory
from benchagent.plan.fsload import COMMANDS, COMMON, DEFAULT, fsload_files
from benchagent.toml.tables import Parameters, Value

from . import fsload_build as engine
from .base import Context, Tool

VARIABLE = "BENCHAGENT_FSLOAD"


def find() -> str | None:
    """The program named by the environment, else the agent's own, which is built when it is asked for first."""
    named = os.environ.get(VARIABLE)
    return shutil.which(named) if named else _own(state_directory() / "engine")[0]


def explain() -> str:
    """Why `find` finds nothing, and what to do about it."""
    named = os.environ.get(VARIABLE)
    if named:
        return f"{VARIABLE} names {named}, which is not a program"
    return f"there is no fsload: {_own(state_directory() / 'engine')[1]}"


@lru_cache(maxsize=1)
def _own(directory: Path) -> tuple[str | None, str]:
    """The agent's own program, or why there is none. Asked for at each point; what failed once is not tried again."""
    try:
        return str(engine.program(directory)), ""
    except engine.EngineMissing as why:
        return None, str(why)


def arguments(parameters: Parameters, context: Context) -> list[str]:
    """One repetition: rounds repeat it, each on a target that was prepared anew. The same seed in each round."""
    name = str(parameters.get("command", DEFAULT))
    command, files = COMMANDS[name], fsload_files(parameters)
    said = {key: _said(context.path(str(parameters[key])) if key in files else parameters[key]) for key in parameters}
    found = [name, *([said[command.argument]] if command.argument else [])]
    found += ["--directory", ".", "--repetitions", "1", "--seed", str(context.seed)]
    for key in (*command.parameters, *COMMON):
        if key in parameters and key != command.argument and parameters[key] is not False:
            found += [f"--{key.replace('_', '-')}", *([] if parameters[key] is True else [said[key]])]
    return found


def cold(parameters: Parameters, context: Context) -> list[list[str]]:
    """A sweep empties the caches before each of its tests; of other commands only the first finds them empty."""
    sweeps = parameters.get("command", DEFAULT) == DEFAULT
    return [[*arguments(parameters, context), *(["--cold"] if sweeps else [])]]


def _said(value: Value) -> str:
    """A value as fsload takes it."""
    if isinstance(value, list):
        return ",".join(str(each) for each in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


TOOL = Tool(
    name="fsload",
    program="fsload",
    source=engine.PACKAGES,
    artifact="fsload.jsonl",
    arguments=arguments,
    find=find,
    explain=explain,
    partial=frozenset({1}),
    progress=True,
    cold=cold,
)
