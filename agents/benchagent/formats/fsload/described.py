"""The description of a result's work, and the reading of parameters for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from benchagent.formats.model import Param


@dataclass(frozen=True)
class Described:
    """Sizes in bytes, None if the work has no such size, and the params of the work."""

    file_size: int | None = None
    record_size: int | None = None
    params: Mapping[str, Param] = field(default_factory=dict)


def size(given: Mapping[str, object], name: str) -> int | None:
    """The bytes under a name; None if there is no number above 0."""
    value = given.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


LONGEST = 200  # characters of a text in params


def options(given: Mapping[str, object], **defaults: Param) -> dict[str, Param]:
    """The options that are given and differ from these defaults; long texts, which no option has, are cut."""
    found = {name: given.get(name) for name in defaults}
    return {
        name: value[:LONGEST] if isinstance(value, str) else value
        for name, value in found.items()
        if isinstance(value, (bool, int, float, str)) and value != defaults[name]
    }


def objects(value: object) -> list[Mapping[str, object]]:
    """The JSON objects in a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
