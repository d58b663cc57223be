"""The parameters of the workload in a text, under the names of a plan's parameters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from benchagent.formats.model import Param

from .layouts import BonnieSettings

_OPTION = re.compile(r"(?:^|\s)-([bDfr])\s?([0-9]{1,9}[mMgG]?)?(?=\s|$)")
_FLAGS: dict[str, tuple[str, Param]] = {"b": ("fsync", True), "D": ("direct", True), "f": ("char_tests", False)}


def common_parameters(settings: Sequence[BonnieSettings], commands: Iterable[str]) -> dict[str, Param]:
    """The parameters that all runs share, and those that all command lines share."""
    of_runs = [_of_settings(run) for run in settings]
    of_commands = [_of_command(command) for command in commands]
    return {**_shared(of_runs), **_shared(of_commands)}


def _of_settings(settings: BonnieSettings) -> dict[str, Param]:
    parameters: dict[str, Param] = dict(settings.file_params)
    for name, size in (("file_size", settings.file_size), ("chunk_size", settings.chunk_size)):
        if size is not None:
            parameters[name] = size
    return parameters


def _of_command(command: str) -> dict[str, Param]:
    parameters: dict[str, Param] = {}
    for option, number in _OPTION.findall(command):
        if option in _FLAGS:
            name, value = _FLAGS[option]
            parameters[name] = value
        elif number:
            mib = int(number.rstrip("mMgG")) * (1024 if number[-1] in "gG" else 1)
            parameters["memory"] = mib * 1024**2
    return parameters


def _shared(parameters: list[dict[str, Param]]) -> dict[str, Param]:
    first, *others = parameters or [{}]
    return {name: value for name, value in first.items() if all(other.get(name) == value for other in others)}
