"""A run as the list of runs has it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class FoundRun:
    """A run of the server: `url` is its page, `dated` its start as far as it is known, `label` names it in words.

    `state` is received, computing, ready or failed; only a ready run can be compared.
    """

    run_id: str
    url: str
    label: str
    state: str
    tool: str
    tool_version: str | None
    file_system: str | None
    machine: str
    kernel: str | None
    dated: str
    labels: Mapping[str, str]
