"""The contexts of the pages of imports."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class OwnImport:
    """A line in the list of an owner's imports; `what` are its files, or the runs made of them."""

    href: str
    state: str
    at: datetime
    what: str


@dataclass(frozen=True, slots=True)
class ImportProgress:
    """A worker's progress; `percent` is None if it is unknown."""

    text: str
    percent: int | None


@dataclass(frozen=True, slots=True)
class ImportAhead:
    """An earlier import of the same account: its address and its contents in words."""

    href: str
    what: str


ImportParts = tuple[dict[str, object], dict[str, object]]
