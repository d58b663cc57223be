"""The result of a check."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """Severity: nothing to do; works but needs a look; does not work or is not safe."""

    OK = "ok"
    WARNING = "warning"
    WRONG = "wrong"


@dataclass(frozen=True)
class DoctorFinding:
    """One line of the report; `text` is the fact, followed by the remedy if there is one."""

    level: Level
    about: str
    text: str


def ok(about: str, text: str) -> DoctorFinding:
    """A finding without a problem."""
    return DoctorFinding(Level.OK, about, text)


def warning(about: str, text: str) -> DoctorFinding:
    """A finding that needs attention."""
    return DoctorFinding(Level.WARNING, about, text)


def wrong(about: str, text: str) -> DoctorFinding:
    """A finding about something that does not work or is not safe."""
    return DoctorFinding(Level.WRONG, about, text)
