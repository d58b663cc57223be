"""elbencho's JSON file (`--jsonfile`): an object for each phase, in a line of its own, as a row of the CSV file."""

from __future__ import annotations

import json
from collections.abc import Iterator

from benchagent.formats.model import FormatError
from benchagent.formats.reading.runs import ToolRun

from .csv_rows import READ_PART, Unread, run_of

BEGINNING = '{"phase_type":'
_FIGURES = {"elapsed_time_ms": "time ms", "entries/s": "entries/s", "iops": "IOPS", "bytes/s": "bytes/s"}
_LATENCIES = {"entries": "Ent lat us", "IO": "IO lat us"}
_SETTINGS = {
    "hosts": "hosts", "threads": "threads", "dirs": "dirs", "files": "files", "file_size": "file size",
    "block_size": "block size", "io_depth": "IO depth", "version": "version", "command": "command",
}  # fmt: skip
_FLAGS = {"direct_io": "direct IO", "random_offsets": "random"}

Json = dict[str, object]


def object_run(text: str, unread: Unread, number: int) -> tuple[ToolRun, str]:
    """The run of a line of JSON, and elbencho's version. Raises FormatError if the line is no phase of elbencho."""
    try:
        phase: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"this is no JSON of a phase: {error}", number) from None
    row = dict(_row(phase if isinstance(phase, dict) else {}, unread))
    return run_of(row, unread, number), row.get("version", "")


def _row(phase: Json, unread: Unread) -> Iterator[tuple[str, str]]:
    """Columns as the CSV file names them, and their texts."""
    config = _object(phase, "config", unread)
    yield "operation", _text(phase, "phase_type")
    yield "label", _text(phase, "label")
    for name, column in _SETTINGS.items():
        yield column, _text(config, name)
    for name, column in _FLAGS.items():
        yield column, "1" if _text(config, name) == "true" else "0"
    done: Json = {}
    for end in ("first", "last"):
        done = _object(phase, f"{end}_done", unread)
        for part, figures in (("", done), (READ_PART, _object(done, "rwmix_read", unread))):
            for name, column in _FIGURES.items():
                yield f"{part}{column} [{end}]", _text(figures, name)
    latency = _object(done, "latency", unread)  # of the phase to its end
    for kind, column in _LATENCIES.items():
        of_all = _object(latency, kind, unread)
        for part, figures in (("", of_all), (READ_PART, _object(of_all, "rwmix_read", unread))):
            for bound in ("min", "avg", "max"):
                yield f"{part}{column} [{bound}]", _text(figures, f"{bound}_us")


def _object(node: Json, name: str, unread: Unread) -> Json:
    value = node.get(name, {})
    if isinstance(value, dict):
        return value
    unread(name, json.dumps(value))
    return {}


def _text(node: Json, name: str) -> str:
    """elbencho prints every value as text. Others keep the form that they have in JSON."""
    value = node.get(name, "")
    return value if isinstance(value, str) else json.dumps(value)
