"""Builds fsload's command line from a workload's parameters."""

from __future__ import annotations

from benchagent.toml.tables import Parameters, ParameterValue
from benchagent.tools.declaration import CommandContext

from .options import COMMANDS, COMMON, DEFAULT, command_of, files

COLD = "--cold"


def arguments(parameters: Parameters, context: CommandContext) -> list[str]:
    """The arguments of one repetition. Each round repeats it with the same seed, on a target that was prepared anew."""
    name = command_of(parameters)
    command, file_keys = COMMANDS[name], files(parameters)
    texts = {key: _text(context.path(str(value)) if key in file_keys else value) for key, value in parameters.items()}
    words = [name, *([texts[command.argument]] if command.argument else [])]
    words += ["--directory", ".", "--repetitions", "1", "--seed", str(context.seed)]
    for key in (*command.parameters, *COMMON):
        if key in parameters and key != command.argument and parameters[key] is not False:
            words += [f"--{key.replace('_', '-')}", *([] if parameters[key] is True else [texts[key]])]
    return words


def cold(parameters: Parameters, context: CommandContext) -> list[list[str]]:
    """The invocations for cold caches: a sweep empties them before each test, others only before their first one."""
    sweeps = command_of(parameters) == DEFAULT
    return [[*arguments(parameters, context), *([COLD] if sweeps else [])]]


def _text(value: ParameterValue) -> str:
    """A value in the form that fsload accepts."""
    if isinstance(value, list):
        return ",".join(str(item) for item in value)
    return f"{value:.15g}" if isinstance(value, float) else str(value)
