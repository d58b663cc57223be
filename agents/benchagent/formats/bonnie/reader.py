"""bonnie++'s output: CSV lines of 1.00 to 2.00, its text tables, and both together with whatever stands around them."""

from __future__ import annotations

from dataclasses import dataclass, field

from benchagent.formats import bonnie_original
from benchagent.formats.bonnie_original.progress import BonnieProgress, is_caution, is_error
from benchagent.formats.model import FAILED, FormatError, Param, Parsed, ResultKey
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.printed_times import read_times
from benchagent.formats.reading.sections import Sections, is_known, printable
from benchagent.formats.reading.text import lines_with, split_lines

from .cells import RunIdentity, keep_records, metric_of, with_chunk
from .csv_line import ECHOED, SOME_COMMAS, CsvLine, read_record
from .pairing import matches
from .table import Tables
from .table_cells import keep_table
from .workload import common_parameters

TOOL = "bonnie++"
_HEADERS = ("%CP", "-Create-- --Read---", "-Per Chr- --Block--")


def recognises(text: str) -> bool:
    if any(map(_is_header, lines_with(text, *_HEADERS))):
        return True
    if SOME_COMMAS.search(text):
        lines = split_lines(text)
        if any("," in line and _is_record(lines, at) for at, line in enumerate(lines)):
            return True
    progress = any(BonnieProgress().take(line, 1) for line in lines_with(text, "..."))
    return progress and not bonnie_original.recognises(text)  # which says the same while it runs


def _is_header(line: str) -> bool:
    if "," in line:
        return False
    if "%CP" in line:
        return "/sec %CP" in line and "%CPU" not in line
    return any(header in line for header in _HEADERS[1:])


def _is_record(lines: list[str], at: int) -> bool:
    try:
        return read_record(lines, at) is not None
    except FormatError:
        return True


def parse(text: str, parser_version: str) -> Parsed:
    """Read every run of a text. A run's table and CSV line count once; equal runs are the values of one result.

    Raises FormatError where a CSV line cannot be read, or where there is no number of any run.
    """
    scan = _Scan(split_lines(text))
    scan.all_lines()
    collector = scan.collector
    matched = matches(scan.tables.runs, scan.records, collector)
    _prefer_whole_tables(scan, matched)
    alone = [run for place, run in enumerate(scan.tables.runs) if place not in matched]
    chunks = {record: scan.tables.runs[table].chunk_size for table, record in matched.items()}
    settings = [with_chunk(record.settings, chunks.get(place)) for place, record in enumerate(scan.records)]
    if not settings and not alone and not scan.failures:
        raise FormatError("no number of bonnie++ can be read here", scan.first_table or 1)

    distinct = {id(each): each for each in settings}.values()
    sections = scan.sections.names([*scan.section_of_record, *(run.section for run in alone), *scan.section_of_failure])
    several = len({each.name for each in distinct} | {run.name for run in alone}) > 1
    groups: dict[tuple[int, int], list[int]] = {}
    for place, (each, section) in enumerate(zip(settings, scan.section_of_record)):
        groups.setdefault((id(each), section), []).append(place)
    for (_, section), places in groups.items():
        each = settings[places[0]]
        identity = RunIdentity(each, _apart(each.name if several else "", sections.get(section, "")))
        keep_records(collector, identity, [scan.records[place] for place in places])
    for run in alone:
        keep_table(collector, run, _apart(run.name if several else "", sections.get(run.section, "")))
    for (test, line, words), section in zip(scan.failures, scan.section_of_failure):
        apart = _apart("", sections.get(section, ""))
        collector.no_value(ResultKey(test, metric_of(test), params=apart), line, words, FAILED)

    versions = [*(run.version for run in scan.tables.runs), *(each.tool_version for each in distinct)]
    commands = list(scan.sections.commands)
    return Parsed(
        tool=TOOL,
        tool_version=next((version for version in reversed(versions) if version), None),
        command=commands[0] if len(commands) == 1 else None,
        results=collector.results(),
        warnings=collector.warnings(),
        parser_version=parser_version,
        complete=not (scan.failures or any(run.cut for run in alone) or any(r.missing for r in scan.records)),
        parameters=common_parameters([*distinct, *(run.settings for run in alone)], commands),
        unread=collector.unread_lines(),
    )


def _prefer_whole_tables(scan: _Scan, matched: dict[int, int]) -> None:
    """Where a run's CSV line was cut and its table was not, the table has more of it."""
    cut = {
        table: record
        for table, record in matched.items()
        if scan.records[record].missing and not scan.tables.runs[table].cut
    }
    if not cut:
        return
    for table in cut:
        del matched[table]
    dropped = set(cut.values())
    kept = [place for place in range(len(scan.records)) if place not in dropped]
    places = {place: index for index, place in enumerate(kept)}
    scan.records = [scan.records[place] for place in kept]
    scan.section_of_record = [scan.section_of_record[place] for place in kept]
    for table, record in matched.items():
        matched[table] = places[record]


def _is_of_time(line: str) -> bool:
    """Whether a line belongs to the output of `time bonnie++ …`, which the format of `time` reads."""
    return len(line) < 200 and read_times(line) is not None


def _without_echoes(lines: list[str]) -> list[str]:
    """`echo "CSV line" | bon_csv2html` repeats a line that stands above, or is the only one that has it."""
    echoed = [ECHOED.search(line[:2000]) if "bon_csv2" in line else None for line in lines]
    if not any(echoed):
        return lines
    above = {line.strip().rstrip(",") for line in lines if "," in line}
    told = [match[1].strip() if match else None for match in echoed]
    return [line if each is None else "" if each.rstrip(",") in above else each for line, each in zip(lines, told)]


def _apart(name: str, section: str) -> tuple[tuple[str, Param], ...]:
    """What the runs of one text differ in beside their settings, sorted by name."""
    return tuple((key, printable(text)) for key, text in (("name", name), ("section", section)) if text)


@dataclass
class _Scan:
    """One pass over the lines: what is of which kind."""

    lines: list[str]
    collector: Collector = field(default_factory=Collector)
    records: list[CsvLine] = field(default_factory=list)
    section_of_record: list[int] = field(default_factory=list)
    failures: list[tuple[str, int, str]] = field(default_factory=list)
    section_of_failure: list[int] = field(default_factory=list)
    sections: Sections = field(default_factory=Sections)
    progress: BonnieProgress = field(default_factory=BonnieProgress)
    first_table: int = 0
    finished: bool = False

    def __post_init__(self) -> None:
        self.tables = Tables(self.collector)
        self.lines = _without_echoes(self.lines)

    def all_lines(self) -> None:
        at = 0
        while at < len(self.lines):
            at += self._take(at)
        self.tables.close()
        self._close_failure()

    def _take(self, at: int) -> int:
        """Read one line, and those that belong to it; how many they are."""
        line = self.lines[at]
        if "," in line and (found := read_record(self.lines, at)):
            self._record(found[0])
            return found[1]
        if not line.strip():
            return 1
        if taken := self.tables.take(self.lines, at, self.sections.current):
            self.first_table = self.first_table or at + 1
            self._finished()
            return taken
        self._other(line, at + 1)
        return 1

    def _record(self, record: CsvLine) -> None:
        self.records.append(record)
        self.section_of_record.append(self.sections.current)
        self.tables.close()
        self._finished()
        if record.headless:
            self.collector.warn("the line lacks its versions: its fields were counted from its end", record.line)
        if record.missing:
            cut = f"; {record.cut!r}, which it ends with, may be cut and is left out" if record.cut else ""
            self.collector.warn(f"the line ends early: {record.missing} of its fields are missing{cut}", record.line)

    def _other(self, line: str, number: int) -> None:
        if self.progress.begins_anew(line):
            self._close_failure()
        if self.progress.take(line, number) or is_known(line) or (self.finished and _is_of_time(line)):
            return
        if is_caution(line) or is_error(line):
            self.collector.warn(line.strip()[:200], number)
            return
        self.finished = False
        if not self.sections.take(line) and not line.lstrip().startswith("#"):
            self.collector.unread(number, line)

    def _finished(self) -> None:
        """Numbers came, so what was in progress is done; words about it were cautions."""
        self.finished = True
        for words in self.progress.words:
            self.collector.warn(words[:200], self.progress.line)
        self.progress = BonnieProgress()

    def _close_failure(self) -> None:
        if failure := self.progress.take_failure():
            self.failures.append(failure)
            self.section_of_failure.append(self.sections.current)
