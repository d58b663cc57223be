"""The Phoronix Test Suite's `composite.xml`: each trial is one value.

The test is the test profile (`pts/fs-mark-1.0.3` is `fs_mark`); its description and the system are params. The scale
decides the metric; numbers of scales that are unknown, or may be powers of 1000 or of 1024 (`MB/s`), are listed as not
read.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from benchagent.formats.model import Param, Parsed
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.parsed_runs import parsed_runs
from benchagent.formats.reading.runs import ToolRun, common, is_number, printed_value

TOOL = "phoronix"

_CLIENT = re.compile(r"<TestClient>Phoronix Test Suite v?([0-9][^<\s]{0,20})")
_PROFILE = re.compile(r"(?:[^/]{1,60}/)?([^/]{1,80}?)(?:-[0-9]+(?:\.[0-9]+){1,3})?")
# Scales in lower case: metric, times and over.
_SCALES: dict[str, tuple[str, int, int]] = {
    "seconds": ("elapsed", 1, 1),
    "s": ("elapsed", 1, 1),
    "sec": ("elapsed", 1, 1),
    "ms": ("elapsed", 1, 1000),
    "milliseconds": ("elapsed", 1, 1000),
    "microseconds per op": ("latency_mean", 1, 10**6),
    "us/op": ("latency_mean", 1, 10**6),
    "ns/op": ("latency_mean", 1, 10**9),
    "byte/s": ("throughput", 1, 1),
    "bytes/s": ("throughput", 1, 1),
    "bytes/sec": ("throughput", 1, 1),
    "kib/s": ("throughput", 1024, 1),
    "mib/s": ("throughput", 1024**2, 1),
    "gib/s": ("throughput", 1024**3, 1),
}
_RATES = (
    "iops", "files/s", "files/sec", "tps", "ops/s", "ops/sec", "op/s", "operations per second", "requests per second",
    "requests/sec", "transactions per second", "transactions/sec", "queries per second", "events per second",
)  # fmt: skip
_SCALES |= dict.fromkeys(_RATES, ("rate", 1, 1))


def recognises(text: str) -> bool:
    return "<PhoronixTestSuite>" in text and "<Result>" in text and "<Scale>" in text


def parse(text: str, parser_version: str) -> Parsed:
    """Read every result of a document. Raises FormatError if none has a scale that is known."""
    collector = Collector()
    results = list(results_of(text))
    several = len({entry.text("Identifier") for result in results for entry in result.entries}) > 1
    runs = [run for result in results for run in _runs(result, collector, several=several)]
    whole = "</PhoronixTestSuite>" in text
    if not whole:
        collector.warn("the document is cut off: what was whole of it is read")
    for run in runs:
        run.ended = whole
    return parsed_runs(
        TOOL,
        collector,
        runs,
        lacking="no result has a scale that is known, such as Seconds, MiB/s or IOPS",
        parser_version=parser_version,
        version=common(_CLIENT.findall(text)),
    )


def _runs(result: Element, collector: Collector, *, several: bool) -> list[ToolRun]:
    """A run for each trial of each system; a result without trials has one value."""
    scale = result.text("Scale")
    metric, times, over = _SCALES.get(scale.lower(), ("", 1, 1))
    runs = []
    for entry in result.entries:
        name = "RawString" if is_number(entry.text("RawString").partition(":")[0]) else "Value"
        printed, line = entry.texts.get(name, ("", entry.line))
        values = printed.split(":")
        if not metric or not all(map(is_number, values)):
            words = f"{result.text('Title')}: {result.text('Description')}: {printed} {scale}"
            collector.unread(line, words[:200])
            continue
        for value in values:
            error = f"the suite recorded {value}"
            cell = printed_value(_test(result), metric, value, line, times=times, over=over, error=error)
            runs.append(ToolRun(line, _facts(result, entry, several=several), [cell]))
    return runs


def _test(result: Element) -> str:
    """The name of the test profile, as tests are named; the title if there is no profile."""
    match = _PROFILE.fullmatch(result.text("Identifier"))
    name = match[1] if match else result.text("Title")
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:60] or "benchmark"


def _facts(result: Element, entry: Element, *, several: bool) -> dict[str, Param]:
    facts: dict[str, Param] = {}
    if result.text("Description"):
        facts["benchmark"] = result.text("Description")
    if result.text("AppVersion"):
        facts["version"] = result.text("AppVersion")
    if several:
        facts["system"] = entry.text("Identifier") or "-"
    return facts


_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]{0,40})[ \t]{0,4}(/?)>([^<]{0,100000})")
_MOST_ENTRIES = 10_000  # of one result


@dataclass
class Element:
    """The texts below an element by the names of their tags, each with its line; `entries` are those of a result."""

    line: int
    texts: dict[str, tuple[str, int]] = field(default_factory=dict)
    entries: list[Element] = field(default_factory=list)

    def text(self, name: str) -> str:
        return self.texts.get(name, ("", 0))[0]


def results_of(text: str) -> Iterator[Element]:
    """Every result of a document, in order; one that is cut off too."""
    result: Element | None = None
    entry: Element | None = None
    line, counted = 1, 0
    for match in _TAG.finditer(text):
        line, counted = line + text.count("\n", counted, match.start()), match.start()
        closing, name, empty, words = match.groups()
        if name == "Result":
            if result is not None:
                yield result
            result, entry = (None, None) if closing else (Element(line), None)
        elif result is None:
            continue
        elif name == "Entry":
            entry = None if closing else Element(line)
            if entry is not None and len(result.entries) < _MOST_ENTRIES:
                result.entries.append(entry)
        elif not closing and not empty:
            (entry or result).texts.setdefault(name, (html.unescape(words).strip(), line))
    if result is not None:
        yield result
