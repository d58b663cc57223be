"""Tells the outputs of one text apart by all the lines above each of them, not by the last one alone.

A tool with long command lines is often started by the same command again, below another heading: `### ext4` and the
command, `### xfs` and the command.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from benchagent.formats.model import Param

from .collector import Collector, params_key
from .runs import ToolRun, keep, shortened
from .sections import Sections, is_heading, printable, without_count

Line = tuple[int, str]  # its number and its text
MOST_ABOVE = 50  # lines above an output that may be its headings

_NO_HEADING = re.compile(r"(?:real|user|sys)\s+[0-9]|\[\S{1,64}@\S{1,64} \S{1,200}\] ?[#$%]$")  # times, prompts
# A prompt of a machine with nothing behind it, or with a command without arguments.
_PROMPT = re.compile(r"(\[\S{1,64}@\S{1,64} \S{1,200}\]|\S{1,64}@\S{1,128}) ?[#$%](?: {0,3}[A-Za-z0-9_./+-]{0,100})?")
# A line that can only be a title: `## ext4`, `== ext4 ==`, `On ext4:`; a line behind a single # may be a command.
_TITLE = re.compile(r"\s*(?:#{2,6}|={2,9}|\*{2,3}|-{2,9}) ?[^\W\d].*|[^\W\d][^:$#>/]{0,78}:\s*")
_RULES = "#=*-~:> "


def keep_blocks(
    collector: Collector,
    runs: Sequence[ToolRun],
    commands: Sequence[Line] = (),
    *,
    headings: Sequence[Line] | None = None,
    unread: Sequence[Line] | None = None,
) -> dict[str, Param]:
    """Call ``keep`` with the fact ``section`` added to runs below different lines. Call it when all lines are read.

    The section is the last line above a run. Among runs with the same last line it is the last one that not all of them
    have; a run without such a line is a repetition of the one before. ``commands`` are lines that the reader has read
    itself; they count, as do prompts, only if runs would be repetitions without them. ``headings``, in place of the
    unread lines, count only then too. ``unread`` are the sorted unread lines, for callers that keep many groups.
    """
    spans = [(run.line, [cell.line for cell in run.cells]) for run in runs]
    alike: dict[tuple[tuple[str, Param], ...], list[int]] = {}
    for index, run in enumerate(runs):
        alike.setdefault(params_key(run.facts), []).append(index)
    unread = collector.unread_lines() if unread is None else unread
    above = lines_above([*(unread if headings is None else headings), *commands], spans)
    read = {number for number, _ in commands}
    names = section_names(above, read, alike.values(), if_needed=headings is not None)
    for run, name in zip(runs, names):
        if name:
            run.facts["section"] = name
    return keep(collector, runs)


def lines_above(lines: Iterable[Line], spans: Iterable[tuple[int, Sequence[int]]]) -> list[list[Line]]:
    """For each output the nearest lines above it; a line among its own lines is none.

    ``spans`` has an output's first line and the lines of its numbers.
    """
    ordered = sorted(lines)
    places = [number for number, _ in ordered]
    above: list[list[Line]] = []
    position, end = 0, 0
    for first, numbers in spans:
        begin = first if first > end else min(numbers, default=end)
        position = max(position, bisect_right(places, end))
        until = max(position, bisect_left(places, begin))
        above.append(ordered[max(position, until - MOST_ABOVE) : until])
        position, end = until, max([end, first, *numbers])
    return above


def section_names(
    above: Sequence[Sequence[Line]],
    commands: Collection[int],
    together: Iterable[Collection[int]],
    *,
    if_needed: bool = False,
) -> list[str]:
    """The section of each output; empty if nothing distinguishes it from the others.

    ``commands`` are the numbers of lines that count only if needed, that is, if outputs that are in one of the groups
    ``together`` would be repetitions without them. With ``if_needed`` all lines do.
    """
    headings = [[_heading(*line) for line in lines] for lines in above]
    plain = [[each.name for each in lines if each.name and each.line not in commands] for lines in headings]
    finest = _sections([[each.name_at_prompt for each in lines if each.name_at_prompt] for lines in headings])
    titles = _sections([[each.name for each in lines if each.is_title] for lines in headings])
    last = _sections(plain)
    if len(set(zip(titles, last))) == len(set(titles)):  # commands between a title and an output add nothing
        last = titles
    levels = [*([[""] * len(above)] if if_needed else []), last]
    groups = list(together) if any(finest) else []
    for names in levels:
        apart = ({(names[index], finest[index]) for index in group} for group in groups)
        if all(len({name for name, _ in pairs}) == len(pairs) for pairs in apart):
            return names
    return finest


class _Heading(NamedTuple):
    """A line's name as a heading, also if the prompts of machines are headings; empty if it is none."""

    line: int
    name: str
    name_at_prompt: str
    is_title: bool


@lru_cache(1 << 14)  # groups of outputs share the lines above them
def _heading(number: int, line: str) -> _Heading:
    name = ""
    if is_heading(line) and not _NO_HEADING.match(line):
        name = shortened(" ".join(without_count(line).split()).strip(_RULES))
    prompt = _PROMPT.fullmatch(line.strip()) if "@" in line[:130] else None
    is_title = bool(name) and _TITLE.fullmatch(line[:400]) is not None
    return _Heading(number, name, shortened(prompt[1]) if prompt else name, is_title)


def _sections(blocks: Sequence[Sequence[str]]) -> list[str]:
    """The name of each block's section; empty if there is only one section, or for a block that begins none."""
    sections, used = Sections(), []
    for name in _names(blocks):
        if name:
            sections.take(name)
        used.append(sections.current)
    names = sections.names(used)
    return [printable(names[section]) if names.get(section) else "" for section in used]


def _names(blocks: Sequence[Sequence[str]]) -> list[str]:
    """For each block of headings the one that distinguishes it; empty for an empty block."""
    alike: dict[str, list[int]] = {}
    for index, block in enumerate(blocks):
        if block:
            alike.setdefault(block[-1], []).append(index)
    names = [""] * len(blocks)
    for last, group in alike.items():
        counts = Counter(heading for index in group for heading in set(blocks[index]))
        previous: tuple[str, ...] = ()
        found = []
        for index in group:
            previous = tuple(line for line in blocks[index] if counts[line] < len(group)) or previous
            found.append(previous or (last,))
        one_is_enough = len({lines[-1] for lines in found}) == len(set(found))
        for index, lines in zip(group, found):
            names[index] = lines[-1] if one_is_enough else shortened(" · ".join(dict.fromkeys(lines)))
        if len(set(found)) == 1:
            for index in group:
                names[index] = last
    return names
