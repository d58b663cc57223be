"""What a text says of the workload, under the names of a plan's parameters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from benchagent.formats.model import Param

from .layouts import BonnieSettings

_OPTION = re.compile(r"(?:^|\s)-([bDfr])\s?([0-9]{1,9}[mMgG]?)?(?=\s|$)")
_FLAGS: dict[str, tuple[str, Param]] = {"b": ("fsync", True), "D": ("direct", True), "f": ("char_tests", False)}


def common_parameters(settings: Sequence[BonnieSettings], commands: Iterable[str]) -> dict[str, Param]:
    """What all runs have in common, and what all command lines say."""
    found = [_of_settings(each) for each in settings]
    said = [_of_command(each) for each in commands]
    return {**_common(found), **_common(said)}


def _of_settings(settings: BonnieSettings) -> dict[str, Param]:
    found: dict[str, Param] = dict(settings.file_params)
    for name, size in (("file_size", settings.file_size), ("chunk_size", settings.chunk_size)):
        if size is not None:
            found[name] = size
    return found


def _of_command(command: str) -> dict[str, Param]:
    found: dict[str, Param] = {}
    for option, number in _OPTION.findall(command):
        if option in _FLAGS:
            name, value = _FLAGS[option]
            found[name] = value
        elif number:
            mib = int(number.rstrip("mMgG")) * (1024 if number[-1] in "gG" else 1)
            found["memory"] = mib * 1024**2
    return found


def _common(found: list[dict[str, Param]]) -> dict[str, Param]:
    first, *others = found or [{}]
    return {name: value for name, value in first.items() if all(other.get(name) == value for other in others)}
