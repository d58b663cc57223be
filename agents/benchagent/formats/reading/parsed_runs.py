"""Makes what a reader collected into what ``parse`` returns; the same for every reader of runs."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from benchagent.formats.model import FormatError, Param, Parsed

from .blocks import keep_blocks
from .collector import Collector
from .runs import ToolRun


def parsed_runs(
    tool: str,
    collector: Collector,
    runs: Sequence[ToolRun],
    *,
    lacking: str,
    parser_version: str,
    version: str | None = None,
    command: str | None = None,
    clock_resolution: float | None = None,
) -> Parsed:
    """The parsed text of these runs, apart if they differ in facts or headings. Call it when all lines are read.

    Runs of the same test and sizes are repetitions if they differ in nothing else. Raises FormatError with the words
    ``lacking`` if no run has a number.
    """
    with_numbers = [run for run in runs if run.cells]
    if not with_numbers:
        raise FormatError(lacking, runs[-1].line if runs else 1)
    return Parsed(
        tool=tool,
        tool_version=version,
        command=command,
        parameters=_kept(collector, with_numbers),
        results=collector.results(),
        warnings=collector.warnings(),
        unread=collector.unread_lines(),
        parser_version=parser_version,
        clock_resolution=clock_resolution,
        complete=all(run.ended for run in runs),
    )


def _kept(collector: Collector, runs: Sequence[ToolRun]) -> dict[str, Param]:
    """Hand all numbers to the collector and return the facts that all runs share."""
    alike: dict[Hashable, list[ToolRun]] = {}
    for run in runs:
        cell = run.cells[0]
        alike.setdefault((cell.test, cell.file_size, cell.record_size, cell.threads), []).append(run)
    shared = [keep_blocks(collector, group) for group in alike.values()]
    return {name: value for name, value in shared[0].items() if all(facts.get(name) == value for facts in shared)}
