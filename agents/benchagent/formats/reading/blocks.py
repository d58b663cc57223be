"""Tells the outputs of one text apart by all the lines above each of them, not by the last one alone.

A tool with long command lines is often started by the same command again, below another heading: `### ext4` and the
command, `### xfs` and the command.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from benchagent.formats.model import Param

from .collector import Collector
from .runs import ToolRun, digest, keep
from .sections import Sections, is_heading, printable, with_lines_above, without_count

_NO_HEADING = re.compile(r"(?:real|user|sys)\s+[0-9]|\[\S{1,64}@\S{1,64} \S{1,200}\] ?[#$%]$")  # times, prompts
_LONGEST = 80
_RULES = "#=*-~:> "


def keep_blocks(collector: Collector, runs: Sequence[ToolRun]) -> dict[str, Param]:
    """Call ``keep`` with the fact ``section`` added to runs below different lines. Call it when all lines are read.

    The section is the last line above a run. Among runs with the same last line it is the last one that not all of them
    have; a run without such a line is a repetition of the one before.
    """
    blocks = [_headings(lines) for _, lines in with_lines_above(collector, runs)]
    sections, used = Sections(), []
    for name in _names(blocks):
        if name:
            sections.take(name)
        used.append(sections.current)
    names = sections.names(used)
    for run, section in zip(runs, used):
        if names.get(section):
            run.facts["section"] = printable(names[section])
    return keep(collector, runs)


def _headings(lines: Sequence[str]) -> list[str]:
    headings = [line for line in lines if is_heading(line) and not _NO_HEADING.match(line)]
    names = (" ".join(without_count(line).split()).strip(_RULES) for line in headings)
    return [name if len(name) <= _LONGEST else f"{name[: _LONGEST - 9]} {digest(name)}" for name in names if name]


def _names(blocks: Sequence[Sequence[str]]) -> list[str]:
    """For each block of headings the one that distinguishes it; empty for an empty block."""
    alike: dict[str, list[int]] = {}
    for index, block in enumerate(blocks):
        if block:
            alike.setdefault(block[-1], []).append(index)
    names = [""] * len(blocks)
    for last, group in alike.items():
        counts = Counter(heading for index in group for heading in set(blocks[index]))
        previous = ""
        for index in group:
            previous = next((line for line in reversed(blocks[index]) if counts[line] < len(group)), previous)
            names[index] = previous or last
        if len({names[index] for index in group}) == 1:
            for index in group:
                names[index] = last
    return names
