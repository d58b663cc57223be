"""Makes what a reader collected into what ``parse`` returns; the same for every reader of runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence

from benchagent.formats.model import FormatError, Param, Parsed

from .blocks import keep_blocks
from .collector import Collector
from .json_objects import LocatedObject, lines_outside, objects_of
from .places import name_places
from .runs import ToolRun
from .text import split_lines

_BEGINNING = re.compile(r"\{")


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


def parsed_objects(
    tool: str,
    text: str,
    runs_of: Callable[[LocatedObject, Collector], Iterable[ToolRun]],
    *,
    lacking: str,
    parser_version: str,
    is_known: Callable[[str], bool] = lambda line: False,
) -> Parsed:
    """The parsed text of the runs in its JSON objects.

    ``runs_of`` passes what it does not read of an object to the collector. Lines outside of the objects are unread but
    for those that are known. Raises FormatError with the words ``lacking`` if no run has a number, and for JSON that is
    cut off, whose last number may lack digits.
    """
    collector = Collector()
    objects = objects_of(text, _BEGINNING)
    runs = [run for found in objects for run in runs_of(found, collector)]
    for number, line in lines_outside(text, objects):
        if not is_known(line):
            collector.unread(number, line)
    parsed = parsed_runs(tool, collector, runs, lacking=lacking, parser_version=parser_version)
    if not all(found.document.whole for found in objects):
        raise FormatError("the JSON is cut off", len(split_lines(text)))
    return parsed


def _kept(collector: Collector, runs: Sequence[ToolRun]) -> dict[str, Param]:
    """Hand all numbers to the collector and return the facts that all runs share."""
    name_places(runs)
    alike: dict[Hashable, list[ToolRun]] = {}
    for run in runs:
        cell = run.cells[0]
        alike.setdefault((cell.test, cell.file_size, cell.record_size, cell.threads), []).append(run)
    unread = sorted(collector.unread_lines())  # once, because a text may have thousands of groups
    shared = [keep_blocks(collector, group, unread=unread) for group in alike.values()]
    return {name: value for name, value in shared[0].items() if all(facts.get(name) == value for facts in shared)}
