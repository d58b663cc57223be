"""Reads FFSB's output, 5.x to 6.0-RC2: operations, totals, throughput, latencies of system calls, CPU.

A run's profile, which FFSB repeats before it begins, gives threads, block size and file size, and distinguishes runs.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from benchagent.formats.model import FAILED, FormatError, Param, Parsed
from benchagent.formats.reading.blocks import keep_blocks
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.runs import RunValue, ToolRun, common, printed_value, scaled
from benchagent.formats.reading.text import lines_with, split_lines

from . import lines
from .lines import PrintedSize

TOOL = "ffsb"
TOTAL = "mix"  # all operations of a run; FFSB's word is Total
READS = ("read", "readall")
WRITES = ("write", "writeall", "create", "append", "write_fsync", "writeall_fsync", "create_fsync", "append_fsync")
_WORDS = {"reads": "read", "writes": "write", "creates": "create", "append writes": "append"}
_METRICS = {"min": "latency_min", "avg": "latency_mean", "max": "latency_max"}


@dataclass
class _FfsbRun(ToolRun):
    version: str | None = None
    seconds: int | None = None
    groups: list[dict[str, Param]] = field(default_factory=list)  # the profile's thread groups
    file_systems: list[dict[str, Param]] = field(default_factory=list)
    aging: list[dict[str, Param]] = field(default_factory=list)  # the groups that age the file systems first
    section: dict[str, Param] = field(default_factory=dict)  # of the profile that is being read
    measured: bool = False  # whether its results have begun
    scope: dict[str, Param] = field(default_factory=dict)  # params of the results that are being read
    call: str | None = None
    failure: str = "FFSB printed no results"


def recognises(text: str) -> bool:
    if "FFSB version " not in text and "Trans" not in text:
        return False
    return any(
        lines.BANNER.match(line) or lines.TRANSACTIONS.match(line) or lines.OPERATION.fullmatch(line.rstrip())
        for line in lines_with(text, "FFSB version ", " Transactions per Second", "%")
    )


def parse(text: str, parser_version: str) -> Parsed:
    """Read every run of a text. If other runs have results, a profile without results only gives a warning.

    FFSB's children print its unwritten output again: its profile then appears several times.

    Raises FormatError if there is neither a version nor a result.
    """
    collector = Collector()
    runs = _read(text, collector)
    if not runs:
        raise FormatError("neither the version nor results of FFSB are there")
    measured = [run for run in runs if run.cells]
    for run in runs:
        if not run.cells:
            collector.warn("this run has no results", run.line)
        elif not run.ended:
            collector.warn("the run is not complete: its end line (CPU Utilization) is missing", run.line)
    if not measured:
        runs[-1].cells.append(RunValue(TOTAL, "rate", None, runs[-1].line, error=runs[-1].failure, status=FAILED))
    kept = measured or runs[-1:]
    for run in kept:
        _complete(run)
    shared = keep_blocks(collector, kept)
    return Parsed(
        tool=TOOL,
        tool_version=common(run.version for run in kept),
        command=None,
        results=collector.results(),
        warnings=collector.warnings(),
        parser_version=parser_version,
        complete=all(run.ended for run in kept) and kept[-1] is runs[-1],
        parameters=shared,
        unread=collector.unread_lines(),
    )


def _read(text: str, collector: Collector) -> list[_FfsbRun]:
    runs: list[_FfsbRun] = []
    for number, printed in enumerate(split_lines(text), start=1):
        line = printed.rstrip()
        if not line:
            continue
        if banner := lines.BANNER.match(line):
            runs.append(_FfsbRun(number, version=banner[1]))
            continue
        if not runs or (runs[-1].ended and lines.begins_results(line)):
            runs.append(_FfsbRun(number))
        run = runs[-1]
        recognized = _take_scope(run, line) or _result(run, line, number) or (not run.measured and _profile(run, line))
        if not recognized and not lines.is_chatter(line):
            if not run.version and not run.cells and not run.measured:  # a text before the first run
                runs.pop()
            run.failure = line.strip()
            collector.unread(number, line)
    return [run for run in runs if run.version or run.cells]


def _take_scope(run: _FfsbRun, line: str) -> bool:
    """Read a line that begins the settings or results of a thread group or a file system."""
    if lines.RESULTS.fullmatch(line):
        run.measured = True
    elif group := lines.GROUP.fullmatch(line):
        if run.measured:
            run.scope = {"thread_group": int(group[1])}
        else:
            run.section = {}
            run.groups.append(run.section)
    elif lines.AGING.fullmatch(line):
        run.section = {}
        run.aging.append(run.section)
    elif location := lines.FILE_SYSTEM.fullmatch(line):
        if run.measured:
            run.scope = {"location": location[1].strip()[:100]}
        else:
            run.section = {"location": location[1].strip()}
            run.file_systems.append(run.section)
    elif lines.TOTAL.fullmatch(line):
        run.measured, run.scope = True, {}
    else:
        return line.strip() == lines.CALLS
    return True


def _profile(run: _FfsbRun, line: str) -> bool:
    if seconds := lines.BENCHMARK_TIME.match(line):
        run.seconds = int(seconds[1])
        return True
    if fullness := lines.FULLNESS.match(line):
        run.section["fullness"] = scaled(fullness[1], over=100)
        return True
    setting = lines.setting(line)
    if setting:
        run.section[setting[0]] = setting[1]
    return setting is not None


def _result(run: _FfsbRun, line: str, number: int) -> bool:
    """Read a line with results."""
    if match := lines.OPERATION.fullmatch(line):
        _operation(run, match["name"], match["rate"], lines.size(match), number)
    elif match := lines.ONLY.match(line):
        _operation(run, _WORDS[match["word"]], match["rate"], lines.size(match), number)
    elif match := lines.TRANSACTIONS.match(line):
        _add(run, TOTAL, "rate", match[1], number)
    elif match := lines.SIDE.match(line):
        _throughput(run, f"mix_{match[1].lower()}", lines.size(match), number)
    elif match := lines.TOOK.match(line):
        _add(run, TOTAL, "elapsed", match[1], number)
    elif match := lines.CALL.fullmatch(line):
        for metric, printed in zip(("latency_min", "latency_mean", "latency_max"), match.groups()[1:]):
            _add(run, f"system_call_{match[1]}", metric, printed, number, over=1000)
    elif match := lines.CALL_COUNT.fullmatch(line):
        run.call = match[1]
    elif (match := lines.CALL_FIGURE.fullmatch(line)) and run.call:
        _add(run, f"system_call_{run.call}", _METRICS[match[1]], match[2], number, over=1000)
    elif match := lines.CPU.match(line):
        params: dict[str, Param] = {} if match[2] == "CPU" else {"view": match[2].lower()}
        run.cells.append(RunValue(TOTAL, "cpu_of_one_core", scaled(match[1], over=100), number, params))
        run.ended = run.ended or match[2] == "CPU"
    else:
        return bool(lines.COUNT.match(line))  # 5.x counts operations of a mix, and prints no rate of them
    return True


def _operation(run: _FfsbRun, name: str, rate: str, size: PrintedSize | None, line: int) -> None:
    _add(run, name, "rate", rate, line)
    if size:
        _throughput(run, name, size, line)


def _throughput(run: _FfsbRun, test: str, size: PrintedSize | None, line: int) -> None:
    if size:
        _add(run, test, "throughput", size.digits, line, times=size.unit)


def _add(run: _FfsbRun, test: str, metric: str, printed: str, line: int, times: int = 1, over: int = 1) -> None:
    error = f"FFSB printed {printed}"
    run.cells.append(printed_value(test, metric, printed, line, run.scope, times=times, over=over, error=error))


def _complete(run: _FfsbRun) -> None:
    """Give the values their threads and sizes, and the run the facts of its profile."""
    sizes = {system.get(name) for system in run.file_systems for name in ("min_file_size", "max_file_size")}
    file_size = _one(sizes)
    only = _only_operation(run)
    threads_and_records: dict[tuple[str, Param | None], tuple[int | None, int | None]] = {}  # of tests and groups
    for cell in run.cells:
        if only and cell.test == TOTAL and cell.metric != "rate":
            cell.test = only
        key = cell.test if cell.test in READS + WRITES else TOTAL, cell.params.get("thread_group")
        if key not in threads_and_records:
            threads_and_records[key] = _threads_and_record(run, *key)
        cell.threads, cell.record_size = threads_and_records[key]
        if cell.test in READS + WRITES:
            cell.file_size = file_size
    if run.version:
        run.facts["version"] = run.version
    if run.seconds:
        run.facts["seconds"] = run.seconds
    for name, sections in (("group", run.groups), ("file_system", run.file_systems), ("aging", run.aging)):
        for index, settings in enumerate(sections):
            prefix = f"{name}_{index}_" if len(sections) > 1 else "aging_" if name == "aging" else ""
            run.facts.update({prefix + key: value for key, value in settings.items() if value})


def _threads_and_record(run: _FfsbRun, test: str, group: Param | None) -> tuple[int | None, int | None]:
    """The threads of a group of the profile, else of all groups, and the size of the records of a test."""
    groups = [run.groups[group]] if isinstance(group, int) and group < len(run.groups) else run.groups
    threads = sum(int(settings.get("threads", 0)) for settings in groups) or None
    if test not in READS + WRITES:
        return threads, None
    name = "read_blocksize" if test in READS else "write_blocksize"
    return threads, _one({settings.get(name) for settings in groups if settings.get(f"{test}_weight")})


def _only_operation(run: _FfsbRun) -> str | None:
    """The operation of a mix that has one only; its line has the rate, and the total's time and CPU are its own."""
    kinds = {name for group in run.groups for name, weight in group.items() if name.endswith("_weight") and weight}
    tests = {cell.test for cell in run.cells}
    only = kinds.pop().rpartition("_")[0] if len(kinds) == 1 and len(run.groups) == 1 else None
    return only if only in tests else None


def _one(numbers: set[Param | None]) -> int | None:
    """The common number; None for several, for none, and for 0, which means not set."""
    [number] = numbers if len(numbers) == 1 else [None]
    return number if isinstance(number, int) and number > 0 else None
