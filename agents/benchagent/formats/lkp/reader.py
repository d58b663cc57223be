"""LKP's `stats.json` of one run and `matrix.json` of several: `{"fsmark.files_per_sec": 1197.4}` or lists of numbers.

A list has one number for each run, and these are the values of one result. LKP writes 0 for a run that lacks a number.
Only metrics whose units LKP's sources define are read, and those of its monitors are not.
"""

from __future__ import annotations

import re

from benchagent.formats.model import Parsed
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.json_objects import LocatedObject, number_at
from benchagent.formats.reading.located_json import Leaf, Node, Object
from benchagent.formats.reading.parsed_runs import parsed_objects
from benchagent.formats.reading.runs import ToolRun, printed_value
from benchagent.formats.reading.text import split_lines

from .metrics import LkpMetric, meaning

TOOL = "lkp"
_CLIENTS = "dbench.clients"
_KNOWN = ("stats_source", _CLIENTS)  # the first names the runs of a matrix
_PROGRAMS = r"(?:aim7|aim9|dbench|filebench|fio|fsmark|fxmark|iozone|postmark|sysbench-fileio)"
_BEGINNING = re.compile(r'\s*\{\s*"(?:stats_source|[A-Za-z0-9_:-]{1,80}\.[^"\n]{1,300})"\s*:\s*[-0-9\[N]')
_KEY = re.compile(rf'"{_PROGRAMS}\.[^"\n]{{1,200}}"\s*:\s*[-0-9\[N]')


def recognises(text: str) -> bool:
    return bool(_BEGINNING.match(text) and _KEY.search(text))


def parse(text: str, parser_version: str) -> Parsed:
    """Read every metric of a file system's benchmark. Raises FormatError if there is none, or the JSON is cut off."""
    lines = split_lines(text)
    return parsed_objects(
        TOOL,
        text,
        lambda found, collector: [_run(found, lines, collector)],
        lacking="no metric is one of a file system's benchmark whose unit LKP defines",
        parser_version=parser_version,
    )


def _run(found: LocatedObject, lines: list[str], collector: Collector) -> ToolRun:
    """The numbers of one file; the lines of all other metrics are unread."""
    run = ToolRun(found.line, ended=True)
    clients = _clients(found.root)
    last = found.line  # of the metrics before
    for name, node in found.root.items():
        leaves = _leaves(node)
        known = meaning(name)
        is_matrix = isinstance(node, list)
        if known and all(number_at(leaf) for leaf in leaves):
            threads = clients if name.startswith("dbench.") and known.test == "dbench" else known.threads
            _take(run, name, known, leaves, threads)
        elif name not in _KNOWN and leaves:
            first = min(last + 1, leaves[0].line)
            for number, line in enumerate(lines[first - 1 : leaves[-1].line + is_matrix], start=first):
                collector.unread(number, line)
        if leaves:
            last = leaves[-1].line + is_matrix
    return run


def _take(run: ToolRun, name: str, known: LkpMetric, leaves: list[Leaf], threads: int | None) -> None:
    params = {"program": name.partition(".")[0], **known.params}
    for leaf in leaves:
        cell = printed_value(
            known.test,
            known.metric,
            leaf.text,
            leaf.line,
            params,
            times=known.times,
            over=known.over,
            error=f"LKP has {leaf.text}, which it also writes for a number that is missing",
        )
        cell.file_size, cell.record_size, cell.threads = known.file_size, known.record_size, threads
        run.cells.append(cell)


def _leaves(node: Node) -> list[Leaf]:
    """The number, or the numbers of a list."""
    nodes = node if isinstance(node, list) else [node]
    return [leaf for leaf in nodes if isinstance(leaf, Leaf)]


def _clients(root: Object) -> int | None:
    """The clients of dbench, if all runs had as many."""
    counts = {leaf.text for leaf in _leaves(root.get(_CLIENTS, []))}
    clients = counts.pop() if len(counts) == 1 else ""
    return int(clients) or None if re.fullmatch("[0-9]{1,6}", clients) else None
