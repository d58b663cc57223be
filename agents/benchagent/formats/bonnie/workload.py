"""The parameters of the workload in a text, under the names of a plan's parameters, and what they add to results."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from benchagent.formats.model import Param, Result

from .layouts import CREATE_TESTS, BonnieSettings

# -b has an fsync after every write, and after files are created and deleted; -D opens the large file with O_DIRECT.
_READING = frozenset({"char_read", "block_read", "seq_stat", "random_stat"})

_OPTION = re.compile(r"(?:^|\s)-([bDfr])\s?([0-9]{1,9}[mMgG]?)?(?=\s|$)")
_FLAGS: dict[str, tuple[str, Param]] = {"b": ("fsync", True), "D": ("direct", True), "f": ("char_tests", False)}


def common_parameters(settings: Sequence[BonnieSettings], commands: Iterable[str]) -> dict[str, Param]:
    """The parameters that all runs share, and those that all command lines share."""
    of_runs = [_of_settings(run) for run in settings]
    of_commands = [_of_command(command) for command in commands]
    return {**_shared(of_runs), **_shared(of_commands)}


def with_parameters(result: Result, parameters: Mapping[str, object]) -> Result:
    """The result with what bonnie++ 1.98 and later do not print: the chunk size, and the options -b and -D.

    A result whose output has a chunk size keeps it.
    """
    params, record_size = dict(result.params), result.record_size
    if result.test not in CREATE_TESTS:
        chunk = parameters.get("chunk_size")
        record_size = chunk if record_size is None and isinstance(chunk, int) else record_size
        params.update({"direct": True} if parameters.get("direct") else {})
    if result.test not in _READING and parameters.get("fsync"):
        params["fsync"] = True
    return result._replace(record_size=record_size, params=dict(sorted(params.items())))


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
