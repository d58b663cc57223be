"""A run as the list of runs has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict


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


class ListedRunJson(TypedDict):
    """A run of the answer; a newer server may add fields."""

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


class RunsJson(TypedDict):
    """One page of the list of runs; `next` is the query string of the following page."""

    runs: Sequence[ListedRunJson]
    next: str | None


def found_run(answer: ListedRunJson) -> FoundRun:
    """The run of an answer, without fields that this client does not know."""
    return FoundRun(
        run_id=answer["run_id"],
        url=answer["url"],
        label=answer["label"],
        state=answer["state"],
        tool=answer["tool"],
        tool_version=answer["tool_version"],
        file_system=answer["file_system"],
        machine=answer["machine"],
        kernel=answer["kernel"],
        dated=answer["dated"],
        labels=answer["labels"],
    )
