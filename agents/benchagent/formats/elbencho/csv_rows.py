"""elbencho's CSV file (`--csvfile`): a row for each phase, with the settings in its columns. JSON fills rows too."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping

from benchagent.formats.model import FormatError, Param
from benchagent.formats.reading.runs import RunValue, ToolRun, is_number, printed_value

from .phases import is_operation, mix_of, moves_data, test_of

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


def row_runs(header: str, rows: list[tuple[int, str]]) -> Iterator[ToolRun]:
    """The runs of the rows below a header, each (line, text). Raises FormatError for a row that does not fit it."""
    names = _fields(header, rows[0][0] if rows else 1)
    for number, text in rows:
        fields = _fields(text, number)
        if len(fields) != len(names):
            raise FormatError(f"the row has {len(fields)} fields, not the {len(names)} of its header", number)
        yield run_of(dict(zip(names, fields)), number)


def _fields(text: str, number: int) -> list[str]:
    try:
        return next(csv.reader([text]), [])
    except csv.Error as error:
        raise FormatError(f"this is no row of CSV: {error}", number) from None


def run_of(row: Mapping[str, str], number: int) -> ToolRun:
    """The run of a phase by the columns of its row. Raises FormatError if its operation cannot be one of elbencho."""
    operation = row.get("operation", "")
    if not is_operation(operation):
        raise FormatError(f"{operation[:40]!r} is no operation of elbencho", number)
    is_random = row.get("random") == "1"
    mix = mix_of(operation)
    run = ToolRun(number, dict(mix), ended=True)
    if mix:
        run.facts.update({"random": True} if is_random else {})
        run.cells = [*_cells(row, number, "mix_write"), *_cells(row, number, "mix_read", READ_PART)]
    else:
        run.cells = [*_cells(row, number, test_of(operation, random=is_random))]
    for column, name in _FACTS.items():
        if (count := _count(row, column)) and (count > 1 or name == "files"):
            run.facts[name] = count
    if row.get("direct IO") == "1":
        run.facts["direct"] = True
    if row.get("label"):
        run.facts["label"] = row["label"]
    threads, hosts = _count(row, "threads"), _count(row, "hosts") or 1
    sizes = _count(row, "file size"), _count(row, "block size")
    for cell in run.cells:
        cell.threads = threads * hosts if threads else None
        if moves_data(cell.test):
            cell.file_size, cell.record_size = sizes
    return run


def _cells(row: Mapping[str, str], number: int, test: str, part: str = "") -> Iterator[RunValue]:
    """The numbers of a phase, or of the part of a mix whose columns begin with these words."""
    has_operations = bool(row.get("IOPS [last]"))
    for column, metric, times, over, params in _COLUMNS:
        printed = row.get(part + column)
        if printed and is_number(printed):
            apart = params if has_operations else {name: value for name, value in params.items() if name != "of"}
            whole = "mix" if test == "mix_write" and metric == "elapsed" else test
            error = f"elbencho printed {printed}"
            yield printed_value(whole, metric, printed, number, apart, times=times, over=over, error=error)


def _count(row: Mapping[str, str], column: str) -> int | None:
    text = row.get(column, "")
    return int(text) or None if text.isascii() and text.isdigit() and len(text) < 16 else None
