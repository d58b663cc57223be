"""elbencho's CSV file (`--csvfile`): a row for each phase, with the settings in its columns. JSON fills rows too."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping

from benchagent.formats.model import FormatError, Param
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.runs import RunValue, ToolRun, is_number, printed_value

from .phases import ElbenchoSettings, is_operation, mix_of, moves_data, test_of

BEGINNING = "ISO date,label,path type,"
_FIRST: dict[str, Param] = {"view": "first_done"}
_ENTRIES: dict[str, Param] = {"of": "entries"}
READ_PART = "rwmix read "
"""Columns with this beginning are of the part of a mix that reads."""
# (column, metric, times, over, params). JSON has bytes a second, CSV whole MiB.
_COLUMNS: tuple[tuple[str, str, int, int, dict[str, Param]], ...] = (
    ("time ms [last]", "elapsed", 1, 1000, {}),
    ("time ms [first]", "elapsed", 1, 1000, _FIRST),
    ("IOPS [last]", "rate", 1, 1, {}),
    ("IOPS [first]", "rate", 1, 1, _FIRST),
    ("MiB/s [last]", "throughput", 1024**2, 1, {}),
    ("MiB/s [first]", "throughput", 1024**2, 1, _FIRST),
    ("bytes/s [last]", "throughput", 1, 1, {}),
    ("bytes/s [first]", "throughput", 1, 1, _FIRST),
    ("entries/s [last]", "rate", 1, 1, _ENTRIES),
    ("entries/s [first]", "rate", 1, 1, {**_ENTRIES, **_FIRST}),
    ("IO lat us [min]", "latency_min", 1, 10**6, {}),
    ("IO lat us [avg]", "latency_mean", 1, 10**6, {}),
    ("IO lat us [max]", "latency_max", 1, 10**6, {}),
    ("Ent lat us [min]", "latency_min", 1, 10**6, _ENTRIES),
    ("Ent lat us [avg]", "latency_mean", 1, 10**6, _ENTRIES),
    ("Ent lat us [max]", "latency_max", 1, 10**6, _ENTRIES),
)
_FACTS = {"dirs": "directories", "files": "files", "IO depth": "depth", "hosts": "hosts"}


Unread = Callable[[str, str], None]
"""Takes the name of a column or key whose text is not read, and the text."""


def unread_in(collector: Collector, number: int) -> Unread:
    """Lists what is not read of a line."""
    return lambda name, text: collector.unread(number, f'"{name}" of elbencho: {text[:80]}')


def row_runs(header: str, rows: list[tuple[int, str]], collector: Collector) -> Iterator[ToolRun]:
    """The runs of the rows below a header, each (line, text). Raises FormatError for a row that does not fit it."""
    names = _fields(header, rows[0][0] if rows else 1)
    for number, text in rows:
        fields = _fields(text, number)
        if len(fields) != len(names):
            raise FormatError(f"the row has {len(fields)} fields, not the {len(names)} of its header", number)
        yield run_of(dict(zip(names, fields)), unread_in(collector, number), number)


def _fields(text: str, number: int) -> list[str]:
    try:
        return next(csv.reader([text]), [])
    except csv.Error as error:
        raise FormatError(f"this is no row of CSV: {error}", number) from None


def run_of(row: Mapping[str, str], unread: Unread, number: int) -> ToolRun:
    """The run of a phase by the columns of its row. Texts that are no numbers of elbencho are unread.

    Raises FormatError if the operation cannot be one of elbencho.
    """
    operation = row.get("operation", "")
    if not is_operation(operation):
        raise FormatError(f"{operation[:40]!r} is no operation of elbencho", number)
    is_random = row.get("random") == "1"
    mix = mix_of(operation)
    run = ToolRun(number, dict(mix), ended=True, place=ElbenchoSettings(row.get("command", "")).place)
    if mix:
        run.facts.update({"random": True} if is_random else {})
        run.cells = [*_cells(row, unread, number, "mix_write"), *_cells(row, unread, number, "mix_read", READ_PART)]
    else:
        run.cells = [*_cells(row, unread, number, test_of(operation, random=is_random))]
    counts = {column: _count(row, column, unread) for column in (*_FACTS, "threads", "file size", "block size")}
    for column, name in _FACTS.items():
        if (count := counts[column]) and (count > 1 or name == "files"):
            run.facts[name] = count
    if row.get("direct IO") == "1":
        run.facts["direct"] = True
    if row.get("label"):
        run.facts["label"] = row["label"]
    threads = (counts["threads"] or 0) * (counts["hosts"] or 1)
    for cell in run.cells:
        cell.threads = threads or None
        if moves_data(cell.test):
            cell.file_size, cell.record_size = counts["file size"], counts["block size"]
    return run


def _cells(row: Mapping[str, str], unread: Unread, number: int, test: str, part: str = "") -> Iterator[RunValue]:
    """The numbers of a phase, or of the part of a mix whose columns begin with these words."""
    has_operations = bool(row.get("IOPS [last]"))
    for column, metric, times, over, params in _COLUMNS:
        printed = row.get(part + column)
        if not printed:
            continue
        if not is_number(printed):
            unread(part + column, printed)
            continue
        apart = params if has_operations else {name: value for name, value in params.items() if name != "of"}
        whole = "mix" if test == "mix_write" and metric == "elapsed" else test
        error = f"elbencho printed {printed}"
        yield printed_value(whole, metric, printed, number, apart, times=times, over=over, error=error)


def _count(row: Mapping[str, str], column: str, unread: Unread) -> int | None:
    text = row.get(column, "")
    if text.isascii() and text.isdigit() and len(text) < 16:
        return int(text) or None
    if text:
        unread(column, text)
    return None
