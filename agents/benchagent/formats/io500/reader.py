"""IO500's `result.txt` and `result_summary.txt`, and the summaries that its scripts of 2017 to 2020 printed.

Each phase is a test (`ior_easy_write`, `mdtest_hard_stat`, `find`) with `throughput` or `rate`. `GB/s` of the old
scripts is GiB/s, as the outputs of IOR beside them show. The bandwidth and IOPS scores are the test `score`; the total
mixes both units and is only checked.
"""

from __future__ import annotations

import re

from benchagent.formats.model import Param, Parsed
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.parsed_runs import parsed_runs
from benchagent.formats.reading.runs import NUMBER, common
from benchagent.formats.reading.text import lines_with, split_lines

from .scores import Io500Run, PrintedPhase

TOOL = "io500"

_BANNER = re.compile(r"IO500 version (\S{1,80})(?: \((\w{1,20})\))?.{0,60}")
_PHASE = r"(?P<phase>(?:ior|mdtest|mdworkbench|find)[-_A-Za-z0-9]{0,40})"
_RESULT = re.compile(
    rf"\[(?P<state>RESULT|RESULT-invalid|INVALID| {{1,8}})\] *(?:(?:BW|IOPS) +phase [0-9]{{1,2}} +)?{_PHASE} +"
    rf"(?P<number>{NUMBER}) (?P<unit>[A-Za-z]{{2,5}}(?:/s)?) {{1,3}}: time +{NUMBER} seconds(?P<note>.{{0,60}})"
)
_SCORE = re.compile(
    rf"\[(?P<kind>SCORE|SCORE |SCOREX|SCORE-invalid)\] Bandwidth (?P<bw>{NUMBER}) (?:GB|GiB)/s"
    rf" : IOPS (?P<md>{NUMBER}) kiops : TOTAL (?P<total>{NUMBER})(?P<note>.{{0,60}})"
)
_UNITS = {"GiB/s": "throughput", "GB/s": "throughput", "kIOPS": "rate", "kiops": "rate"}
_SECTION = re.compile(rf"\[(?:(?P<run>run)|{_PHASE}|(?P<other>timestamp|SCOREX?|[a-z][-a-z0-9_]{{1,40}}))\]")
_PAIR = re.compile(r"([A-Za-z][-A-Za-z0-9_.]{0,60}) *= ?(.{0,6000})")
_HEAD = (
    "version ",
    "config-hash ",
    "result-dir ",
    "mode ",
)  # the first lines of results before 2021, without a section
_STONEWALL = ("throughput-stonewall", "rate-stonewall")
_MEMBERS = {"BW": "throughput", "MD": "rate", "SCORE": "total"}
_TRANSFER = re.compile(r"ior\S{0,300} .{0,2000}?-t ?([0-9]{1,9})([kmgKMG]?)\b")
_API = re.compile(r" -a ?([A-Z][A-Za-z0-9]{1,20})\b")
_POWERS = {"": 1, "k": 1024, "m": 1024**2, "g": 1024**3}
_KNOWN = re.compile(
    r"\[ {1,8}\] +timestamp +.{1,60}|;.{0,200}"
    r"|\[(?:Starting|Exec|Results|Creating|Leaving|Summary|Running|Skipping|FIND)\] ?.{0,3000}"
    r"|Running the IO500 Benchmark now|io500_\w{1,60}=.{0,1000}|(?:System|date|filesystem_utilization)[:=].{0,300}"
    r"|IO-?500 (?:version|benchmark|complete).{0,120}|(?:The )?[Rr]esult files are stored in .{0,300}"
)


def recognises(text: str) -> bool:
    if any(_RESULT.fullmatch(line.strip()) for line in lines_with(text, "[RESULT")):
        return True
    return "[ior-easy-write]" in text and bool(re.search(r"^config-hash *=", text, re.M))


def parse(text: str, parser_version: str) -> Parsed:
    """Read every run of a text. Raises FormatError if no phase has a number."""
    collector = Collector()
    reader = _Io500Reader(collector)
    collector.read(enumerate(split_lines(text), start=1), reader.take)
    runs = reader.whole_runs()
    for run in runs:
        for words in run.wrong():
            collector.warn(f"{words}: it was left out" if " total " not in words else words, run.line)
        if run.invalid:
            collector.warn("IO500 calls this run invalid", run.line)
    return parsed_runs(
        TOOL,
        collector,
        [run.tool_run() for run in runs],
        lacking="no phase of IO500 has a number",
        parser_version=parser_version,
        version=reader.version,
    )


class _Io500Reader:
    """Reads line by line. A run begins with its banner, its section `[run]`, or a phase that it already has."""

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self._section = ""
        self._exe = ""
        self._runs: list[Io500Run] = []
        self._versions: set[str] = set()

    @property
    def version(self) -> str | None:
        return common(self._versions)

    def take(self, line: str, number: int) -> bool:
        """Read one line; False if IO500 does not print such lines."""
        if match := _RESULT.fullmatch(line):
            return self._result(match, number)
        if match := _SCORE.fullmatch(line):
            self._scores(match, number)
        elif match := _BANNER.fullmatch(line):
            run = self._begin(number)
            self._versions.add(match[1])
            if match[2]:
                run.facts["mode"] = match[2]
        elif match := _SECTION.fullmatch(line):
            if match["run"] or (match["phase"] == "ior-easy-write" and self._section not in ("run", "")):
                self._begin(number)
            self._section, self._exe = line[1:-1], ""
        elif (self._section or line.startswith(_HEAD)) and (match := _PAIR.fullmatch(line)):
            self._pair(match[1], match[2].strip(), number)
        else:
            return bool(_KNOWN.fullmatch(line))
        return True

    def whole_runs(self) -> list[Io500Run]:
        """The runs, each once: a text may have `result.txt` and the summary, and scripts print phases twice."""
        runs: list[Io500Run] = []
        for run in self._runs:
            if runs and runs[-1].is_same(run):
                runs[-1] = max(runs[-1], run, key=Io500Run.details)
            else:
                runs.append(run)
        return runs

    def _begin(self, number: int) -> Io500Run:
        if not self._runs or self._runs[-1].phases or self._runs[-1].scores:
            self._runs.append(Io500Run(number))
        self._section = ""
        return self._runs[-1]

    def _current(self, number: int) -> Io500Run:
        return self._runs[-1] if self._runs else self._begin(number)

    def _result(self, match: re.Match[str], number: int) -> bool:
        name = match["phase"].replace("-", "_")
        phase = PrintedPhase(name, match["number"], number)
        if _UNITS.get(match["unit"]) != phase.metric:
            return False
        run = self._current(number)
        if any(other.name == name for other in run.phases) or run.scores:
            run = self._begin(number)
        run.phases.append(phase)
        run.invalid = run.invalid or "invalid" in (match["state"] + match["note"]).lower()
        return True

    def _scores(self, match: re.Match[str], number: int) -> None:
        run = self._current(number)
        if match["kind"] != "SCOREX":
            run.scores.update({"throughput": (match["bw"], number), "rate": (match["md"], number)})
            run.scores["total"] = (match["total"], number)
            run.invalid = run.invalid or "invalid" in (match["kind"] + match["note"]).lower()

    def _pair(self, name: str, value: str, number: int) -> None:
        run = self._current(number)
        if self._section in ("run", ""):
            if name == "procs" and re.fullmatch("[0-9]{1,7}", value):
                run.threads = int(value) or None
            elif name == "version":
                self._versions.add(value[:80])
            elif name == "mode":
                run.facts["mode"] = value
        elif self._section == "SCORE":
            printed = value.partition(" ")[0]
            if name in _MEMBERS and re.fullmatch(NUMBER, printed):
                run.scores[_MEMBERS[name]] = (printed, number)
                run.invalid = run.invalid or "invalid" in value.lower()
        elif name == "exe":
            self._exe = value
        elif name in ("score", *_STONEWALL) and re.fullmatch(NUMBER, value):
            run.phases.append(self._phase(name, value, number))

    def _phase(self, name: str, printed: str, number: int) -> PrintedPhase:
        params: dict[str, Param] = {"view": "stonewall"} if name in _STONEWALL else {}
        transfer, api = _TRANSFER.search(self._exe), _API.search(self._exe)
        if api and api[1] != "POSIX":
            params["api"] = api[1]
        size = int(transfer[1]) * _POWERS[transfer[2].lower()] if transfer else None
        return PrintedPhase(self._section.replace("-", "_"), printed, number, params, size or None)
