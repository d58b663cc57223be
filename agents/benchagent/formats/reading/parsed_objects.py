"""Makes the JSON objects of a text into what ``parse`` returns; the same for every reader of runs in JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from benchagent.formats.model import FormatError, Parsed

from .collector import Collector
from .json_objects import LocatedObject, lines_outside, objects_of
from .parsed_runs import parsed_runs
from .runs import ToolRun
from .text import split_lines

_BEGINNING = re.compile(r"\{")


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
