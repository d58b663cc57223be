"""What a check found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How bad it is: nothing to do; works, but look at it; does not work, or is not safe."""

    OK = "ok"
    WARNING = "warning"
    WRONG = "wrong"


@dataclass(frozen=True)
class Finding:
    """One line. `said` is what is so, and after it what to do where there is something to do."""

    level: Level
    about: str
    said: str


def ok(about: str, said: str) -> Finding:
    """All is well."""
    return Finding(Level.OK, about, said)


def warning(about: str, said: str) -> Finding:
    """Somebody should look at it."""
    return Finding(Level.WARNING, about, said)


def wrong(about: str, said: str) -> Finding:
    """Something does not work, or is not safe."""
    return Finding(Level.WRONG, about, said)
