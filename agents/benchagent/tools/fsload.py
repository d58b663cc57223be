"""fsload, BenchDB's own C engine (agents/engine)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from benchagent.fsload_parameters import COMMANDS, COMMON, DEFAULT, fsload_files
from benchagent.tables import Parameters, Value

from .base import Context, Tool

VARIABLE = "BENCHAGENT_FSLOAD"
BUILT = Path(__file__).parents[2] / "engine" / "build" / "fsload"


def find() -> str | None:
    """The binary named by the environment, the one built beside this source tree, or the one that is installed."""
    named = os.environ.get(VARIABLE)
    if named:
        return shutil.which(named)
    return shutil.which(BUILT) or shutil.which("fsload")


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


def _said(value: Value) -> str:
    """A value as fsload takes it."""
    if isinstance(value, list):
        return ",".join(str(each) for each in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


TOOL = Tool(
    name="fsload",
    program="fsload",
    source="build it with `make -C agents/engine`",
    artifact="fsload.jsonl",
    arguments=arguments,
    find=find,
    partial=frozenset({1}),
    progress=True,
)
