"""The warnings above a table or surface."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PageWarning:
    """A warning of web/partials/warnings.html: `severe` if the whole table is doubtful."""

    text: str
    severe: bool
    href: str | None = None
