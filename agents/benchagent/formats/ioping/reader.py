"""ioping's closing statistics, versions 0.5 to 1.3, as text and as JSON.

Each run has the rate and throughput while a request was under way, and the least, mean and greatest latency of a
request; the standard deviation (mdev) is the mean's with the view `sd`. Requests are not repetitions: their own times
stay in the text. Units by ioping's source; its `mb/s` is MiB/s.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from benchagent.formats.model import NOTHING, Param, Parsed
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.command_options import CommandOptions
from benchagent.formats.reading.json_objects import lines_outside, objects_of
from benchagent.formats.reading.parsed_runs import parsed_runs
from benchagent.formats.reading.runs import NUMBER, ToolRun, common, printed_value
from benchagent.formats.reading.text import lines_with, split_lines

from .command import COUNTS, SIZES, TIMES, command_in, facts_of, options_of, place_in, size_of
from .statistics import OBJECT, has_json, json_runs, place_of, set_test

TOOL = "ioping"

_SIZE = rf"({NUMBER}) ?([A-Za-z]{{1,5}})"
_HEADER = re.compile(r"--- (.{1,500}?) \((.{1,200})\) ioping statistics ---(.{0,300})")
_COMPLETED = re.compile(
    rf"{NUMBER}(?: [kMGT])? requests completed in {NUMBER} \w{{1,4}}, (?:(?P<size>{NUMBER} \w{{1,5}})"
    rf"(?: (?P<way>read|written))?, )?(?P<rate>{NUMBER})(?: (?P<of>[kMGT]))? iops,? "
    rf"(?P<speed>{NUMBER}) (?P<unit>\w{{1,5}})/s"
)
_GENERATED = re.compile(rf"(?:{NUMBER}(?: [kMGT])? too (?:fast|slow), ){{0,2}}generated {NUMBER}.{{1,200}}/s")
_TIME = rf"({NUMBER})(?: (ns|us|ms|s|min|hour))?"
_TIMES = re.compile(rf"min/avg/max/mdev = {_TIME} ?/ ?{_TIME} ?/ ?{_TIME} ?/ ?{_TIME}")
_REQUEST = re.compile(
    rf"(?P<size>{NUMBER} \w{{1,5}}) (?P<way>from|to|<<<|>>>) .{{1,500}} \(.{{1,300}}\): (?:request=[0-9]{{1,18}} )?"
    rf"time={NUMBER} \w{{1,4}}(?: \([^)]{{1,60}}\))?"
)
_VERSION = re.compile(r"ioping ([0-9]\S{0,30})")
_FAULT = re.compile(r"ioping: .{1,300}")
_WAYS = {"read": "read", "written": "write", "<<<": "read", ">>>": "write", "from": "read", "to": "write"}
_VIEWS: tuple[tuple[str, dict[str, Param]], ...] = (
    ("latency_min", {}),
    ("latency_mean", {}),
    ("latency_max", {}),
    ("latency_mean", {"view": "sd"}),
)


def recognises(text: str) -> bool:
    marks = ") ioping statistics ---", "): request=", "): time=", " requests completed in "
    lines = (line.strip() for line in lines_with(text, *marks))
    return any(form.fullmatch(line) for line in lines for form in (_HEADER, _REQUEST, _COMPLETED)) or has_json(text)


def parse(text: str, parser_version: str) -> Parsed:
    """Read every run of a text. Raises FormatError if no run came to its statistics."""
    collector = Collector()
    reader = _IopingReader(collector)
    objects = objects_of(text, OBJECT) if has_json(text) else []
    lines = lines_outside(text, objects) if objects else enumerate(split_lines(text), start=1)
    collector.read(lines, reader.take)
    reader.close()
    return parsed_runs(
        TOOL,
        collector,
        [*reader.runs, *json_runs(text, objects)],
        lacking="no result is there: ioping prints its statistics at the end",
        parser_version=parser_version,
        version=reader.version,
        command=common(reader.commands),
    )


class _IopingReader:
    """Reads line by line. `_ways` and `_sizes` are those of the requests since the last run."""

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self._run: ToolRun | None = None
        self._options: CommandOptions | None = None
        self._place = ""  # of the last command
        self._ways: set[str] = set()
        self._sizes: set[int | None] = set()
        self._begun: int | None = None  # the line of the first request of a run without statistics
        self._words = ""
        self.runs: list[ToolRun] = []
        self.version: str | None = None
        self.commands: set[str] = set()

    def take(self, line: str, number: int) -> bool:
        """Read one line; False if ioping does not print such lines."""
        if match := _HEADER.fullmatch(line):
            self._run = ToolRun(self._begun or number, place=place_of(match[1], match[2]))
            self.runs.append(self._run)
            return not match[3].strip() or self.take(match[3].strip(), number)
        if match := _COMPLETED.fullmatch(line):
            return self._rates(match, number)
        if match := _TIMES.fullmatch(line):
            return self._times(match, number)
        if match := _REQUEST.fullmatch(line):
            self._begun = self._begun or number
            self._ways.add(match["way"])
            self._sizes.add(size_of(match["size"]))
        elif match := _VERSION.fullmatch(line):
            self.version = match[1]
        elif _FAULT.fullmatch(line):
            self._collector.warn(line, number)
        elif command := command_in(line):
            self.close()
            self.commands.add(command)
            self._options, self._place = options_of(command), place_in(command)
        else:
            return bool(_GENERATED.fullmatch(line)) or line == "^C"
        return True

    def close(self) -> None:
        """End a run whose statistics are missing or cut: the text ends, or another command begins."""
        if self._run is not None:
            self._name(self._run)
        elif self._begun is not None:
            self._collector.warn("these requests have no statistics below them", self._begun)
            self.runs.append(ToolRun(self._begun))
        self._forget()

    def _forget(self) -> None:
        self._run, self._begun, self._options, self._place = None, None, None, ""
        self._ways, self._sizes = set(), set()

    def _rates(self, match: re.Match[str], number: int) -> bool:
        if match["unit"].lower() not in SIZES:
            return False
        if self._run is None:  # its heading was cut
            self._run = ToolRun(self._begun or number, place=self._place)
            self.runs.append(self._run)
        if match["way"]:
            self._ways = {match["way"]}
        times = COUNTS[match["of"] or ""]
        self._add("rate", match["rate"], number, times)
        self._add("throughput", match["speed"], number, SIZES[match["unit"].lower()])
        return True

    def _times(self, match: re.Match[str], number: int) -> bool:
        """Keep the latencies. Versions before 0.7 print the unit once, in the end."""
        run = self._run
        if run is None or not match[8]:
            return False
        for index, (metric, params) in enumerate(_VIEWS):
            times, over = TIMES[match[2 * index + 2] or match[8]]
            self._add(metric, match[2 * index + 1], number, times, over, params)
        run.ended = True
        self._name(run)
        self._forget()
        return True

    def _add(
        self, metric: str, printed: str, line: int, times: int, over: int = 1, params: Mapping[str, Param] = NOTHING
    ) -> None:
        if self._run is not None:
            error = f"ioping printed {printed}"
            self._run.cells.append(
                printed_value("", metric, printed, line, params, times=times, over=over, error=error)
            )

    def _name(self, run: ToolRun) -> None:
        """Set test and request size of a run, as far as the text shows them; ioping's default order is random."""
        options = self._options
        ways = {_WAYS[way] for way in self._ways}
        if options is not None:
            run.facts.update(facts_of(options))
            ways = {"write"} if "W" in options else {"read", "write"} if "G" in options else ways or {"read"}
        size = common(self._sizes)
        if size is None and options is not None:
            size = size_of(options["s"][-1]) if "s" in options else 256 * 1024 if "L" in options else 4096
        set_test(run.cells, ways, None if options is None else "L" in options, size)
