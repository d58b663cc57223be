"""Links from the facts of a run to pages that count it: those of its machine and of its components."""

from __future__ import annotations

from benchdb.catalog.component_addresses import component_address
from benchdb.runs.models import Run, Visibility


def has_listed_pages(run: Run) -> bool:
    """Whether the run is listed for each of its readers: a private run has only its owner as a reader."""
    state = run.runstate
    return state.visibility != Visibility.UNLISTED and state.withdrawn_at is None


def component_href(run: Run, kind: str, name: str | None) -> str | None:
    """The page of a component of the run; None if a reader of the run may find no page there."""
    return component_address(kind, name) if has_listed_pages(run) else None
