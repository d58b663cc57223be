"""Bencher Metric Format: `{benchmark: {measure: {value, lower_value, upper_value}}}`.

Only measures whose unit Bencher defines are read: latency is nanoseconds, throughput operations a second, build time
seconds. The bounds have the views `lower` and `upper`; what they mean is up to the program that wrote them.
"""

from __future__ import annotations

import re

from benchagent.formats.model import Param, Parsed
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.json_objects import LocatedObject, leaf_at, number_at
from benchagent.formats.reading.parsed_runs import parsed_objects
from benchagent.formats.reading.runs import ToolRun, printed_value

TOOL = "bmf"
_TEST = "benchmark"
_BEGINNING = re.compile(
    r'\s*\{\s*"[^"\n]{1,500}"\s*:\s*\{\s*"[^"\n]{1,100}"\s*:\s*\{\s*"(?:value|lower_value|upper_value)"\s*:\s*[0-9]'
)
# Bencher's own measures: metric, and base units in one of theirs.
_MEASURES = {
    "latency": ("latency_mean", 10**9),
    "throughput": ("rate", 1),
    "build-time": ("elapsed", 1),
}
_MEMBERS: tuple[tuple[str, dict[str, Param]], ...] = (
    ("value", {}),
    ("lower_value", {"view": "lower"}),
    ("upper_value", {"view": "upper"}),
)


def recognises(text: str) -> bool:
    return bool(_BEGINNING.match(text))


def parse(text: str, parser_version: str) -> Parsed:
    """Read every benchmark of a document.

    Raises FormatError if no measure has a unit that Bencher defines, or if the JSON is cut off.
    """
    lacking = "no measure is latency, throughput or build-time, whose units Bencher defines"
    return parsed_objects(TOOL, text, _runs, lacking=lacking, parser_version=parser_version)


def _runs(found: LocatedObject, collector: Collector) -> list[ToolRun]:
    """A run for each benchmark; measures of unknown units are unread."""
    runs = []
    for name, measures in found.root.items():
        run = ToolRun(1, {"benchmark": name}, ended=True)
        for measure, members in measures.items() if isinstance(measures, dict) else ():
            metric, over = _MEASURES.get(measure.lower().replace("_", "-").replace(" ", "-"), ("", 1))
            for member, params in _MEMBERS:
                leaf = number_at(members, member)
                if leaf and metric:
                    error = f"{leaf.text} is no measurement"
                    run.cells.append(printed_value(_TEST, metric, leaf.text, leaf.line, params, over=over, error=error))
                elif other := leaf_at(members, member):
                    collector.unread(other.line, f"{name}: {measure}: {other.text}"[:200])
        if run.cells:
            run.line = run.cells[0].line
            runs.append(run)
    return runs
