"""What people wrote between the runs of one text tells them apart: `### ext4` above one, `### xfs` above the next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from benchagent.formats.bonnie_around import Sections, is_known, printable
from benchagent.formats.collect import Collector
from benchagent.formats.model import Param
from benchagent.formats.runs import Run, keep

# They say nothing of the run below: a command without arguments behind a prompt, and words about what is over.
_NOISE = re.compile(
    r"[^#\s]\S{0,100}(?: \S{0,100})?[#$%>] {0,3}[A-Za-z0-9_./+-]{1,100}|\[sudo\] password for .{0,200}"
    r"|.{1,300}: command not found"
    r"|(?:.{0,300}\W)?(?:done|finished|completed?)\W{0,9}",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\b(run|iteration|round|pass|trial|repetition|repeat|loop|attempt)[ #:]{0,3}[0-9]{1,6}"
    r"(?: ?(?:of|/) ?[0-9]{1,6})?\b",
    re.IGNORECASE,
)


def keep_sections(collector: Collector, runs: Sequence[Run]) -> dict[str, Param]:
    """As ``keep``, with the fact ``section`` for runs under different headings. Call it when all lines are read.

    The heading is the last foreign line between the number before a run and its beginning; a run without one belongs to
    the section of the run before it. What counts, as `run 1 of 3`, does not tell runs apart.
    """
    sections = Sections()
    used = []
    for run, lines in _above(collector, runs):
        told = [text for text in lines if not is_known(text) and not _NOISE.fullmatch(text.strip("=*-~ "))]
        if told:
            sections.take(_COUNTED.sub(r"\1", told[-1][:400]))
        used.append((run, sections.current))
    names = sections.names([section for _, section in used])
    for run, section in used:
        if names.get(section):
            run.facts["section"] = printable(names[section])
    return keep(collector, runs)


def _above(collector: Collector, runs: Sequence[Run]) -> Iterator[tuple[Run, list[str]]]:
    """Each run with the lines nobody could read above it; what stands among its own lines is no heading."""
    unread = sorted(collector.unread_lines())
    position, end = 0, 0
    for run in runs:
        of_cells = [cell.line for cell in run.cells]
        begin = run.line if run.line > end else min(of_cells, default=end)
        lines = []
        while position < len(unread) and unread[position][0] < begin:
            if unread[position][0] > end:
                lines.append(unread[position][1])
            position += 1
        yield run, lines
        end = max([end, run.line, *of_cells])
