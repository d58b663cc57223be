"""Keeps the rounds of one campaign in a file until their documents are written.

The file leaves the machine's memory to the tool, and finished rounds survive the end of the agent. In memory, each
result of each round would take half a kilobyte, plus the raw output: tens of megabytes for a hundred points and ten
rounds.

The first line of the file is JSON: the format, the campaign and the agent's version. Entries follow, each with its
length and checksum: pickles of `(kind, point, value)`. Only the version that wrote the entries can read them.
"""

from __future__ import annotations

import io
import json
import os
import pickle
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Callable, NamedTuple, TypedDict, Union, overload

from benchagent import __version__
from benchagent.documents.records import CampaignFrame, PointRecord, Round
from benchagent.system.atomic_files import write_all
from benchagent.system.interrupts import held

from .running_files import RunningFile

SCHEMA = "benchagent.rounds/2"
LONGEST_HEAD = 4096  # bytes of the first line
# Entries consist of classes of these modules, and of plain types.
RECORD_MODULES = {
    f"benchagent.{name}" for name in ("documents.records", "formats.model", "plan.model", "toml.quantities")
}
PLAIN = {
    "builtins.frozenset",
    "builtins.set",
    "builtins.tuple",
    "datetime.datetime",
    "datetime.timedelta",
    "datetime.timezone",
}
FRAME, RECORD, ROUND = "frame", "record", "round"  # kinds of entries
HEADER = struct.Struct(">QI")  # of an entry: the length of the pickle in bytes, and its CRC-32
_Value = Union[CampaignFrame, PointRecord, Round]
_Entry = tuple[str, str, _Value]  # its kind, its point, its value; the entry of the frame has an empty point


class _EntrySpan(NamedTuple):
    """The position of an entry in the file, in bytes."""

    offset: int
    length: int


class RoundsHead(TypedDict, total=False):
    """The first line of a file; `agent` is the version that wrote it."""

    schema: str
    agent: str
    campaign_id: str


class StoredCampaign(NamedTuple):
    """The content of a file. `torn` is the number of bytes at its end that are not a whole entry."""

    frame: CampaignFrame
    records: list[PointRecord]
    torn: int


def beginning(frame: CampaignFrame, records: Iterable[PointRecord]) -> bytes:
    """The beginning of a file: the facts of all documents besides their rounds, as far as they are known."""
    head: RoundsHead = {"schema": SCHEMA, "agent": __version__, "campaign_id": frame.campaign_id}
    return json.dumps(head).encode() + b"\n" + _entry(FRAME, "", frame) + _facts(records)


def head_of(file: RunningFile) -> RoundsHead | None:
    """The first line of a file; None if the file is not a rounds file."""
    line, end, _ = os.pread(file.descriptor, LONGEST_HEAD, 0).partition(b"\n")
    try:
        head: RoundsHead | None = json.loads(line) if end else None
    except ValueError:
        return None
    return head if isinstance(head, dict) and head.get("schema") == SCHEMA else None


def read(file: RunningFile) -> StoredCampaign:
    """The content of a file of this version; the rounds stay in the file.

    Raises UnpicklingError or any other error of `pickle` for entries of other classes.
    """
    shelf = Shelf()
    shelf.open(file)
    frame: CampaignFrame | None = None
    records: dict[str, PointRecord] = {}
    rounds: dict[str, StoredRounds] = {}
    for span, (_, point, value) in shelf.entries():
        if isinstance(value, CampaignFrame):
            frame = value
        elif isinstance(value, PointRecord):
            records[point] = replace(value, rounds=rounds.setdefault(point, StoredRounds(shelf, point)))
        else:
            rounds[point].add_stored(span)
    assert frame is not None  # the frame was on the disk before the file got its name
    return StoredCampaign(frame, list(records.values()), shelf.torn)


class Shelf:
    """One file with the rounds of all points. Entries stay in memory until there is a file and the disk takes them.

    `room` is called with the number of bytes before each write, and `refused` once, with the disk's first error.
    """

    def __init__(
        self, room: Callable[[int], None] = lambda size: None, refused: Callable[[str], None] = lambda why: None
    ) -> None:
        self._room, self._refused = room, refused
        self._file: RunningFile | None = None
        self._end, self._rest = 0, bytearray()  # the rest follows the end of the file
        self._complained = False
        self.torn = 0

    def open(self, file: RunningFile) -> None:
        """Append to this file from now on."""
        assert not self._rest
        self._file, self._end = file, os.fstat(file.descriptor).st_size

    def note(self, records: Iterable[PointRecord]) -> None:
        """Write the facts of points besides their rounds, in place of the facts written before."""
        self._append(_facts(records))

    def put(self, point: str, measured: Round) -> _EntrySpan:
        """Write a round, so that it survives a power cut if the disk takes it."""
        entry = _entry(ROUND, point, measured)
        span = _EntrySpan(self._end + len(self._rest), len(entry))
        self._append(entry)
        return span

    def get(self, span: _EntrySpan) -> Round:
        """Read a round that `put` wrote or `entries` returned."""
        _, _, measured = _loaded(self._read(*span)[HEADER.size :])
        assert isinstance(measured, Round)
        return measured

    def entries(self) -> Iterator[tuple[_EntrySpan, _Entry]]:
        """All whole entries of the file in order; afterwards `torn` is the number of bytes that remain."""
        assert self._file is not None
        offset = os.pread(self._file.descriptor, LONGEST_HEAD, 0).index(b"\n") + 1
        while offset < self._end:
            length, checksum = HEADER.unpack(self._read(offset, HEADER.size).ljust(HEADER.size, b"\0"))
            data = self._read(offset + HEADER.size, length) if 0 < length <= self._end - offset else b""
            if not data or len(data) != length or zlib.crc32(data) != checksum:
                self.torn = self._end - offset
                return
            span = _EntrySpan(offset, HEADER.size + length)
            yield span, _loaded(data)
            offset += span.length

    def _append(self, data: bytes) -> None:
        with held:
            self._rest += data
            if self._file is None:
                return
            try:
                self._room(len(data))
                os.lseek(self._file.descriptor, self._end, os.SEEK_SET)
                write_all(self._file.descriptor, self._rest)
                os.fsync(self._file.descriptor)
            except OSError as error:  # the next entry retries
                if not self._complained:
                    self._complained = True
                    self._refused(str(error.strerror))
                return
            self._end += len(self._rest)
            self._rest = bytearray()

    def _read(self, offset: int, length: int) -> bytes:
        """Read `length` bytes, or fewer at the end."""
        if offset >= self._end:
            return bytes(self._rest[offset - self._end :][:length])
        assert self._file is not None
        data = b""
        while chunk := os.pread(self._file.descriptor, length - len(data), offset + len(data)):
            data += chunk
        return data


class StoredRounds(Sequence[Round]):
    """The rounds of one point, by number, read from the file on access."""

    def __init__(self, shelf: Shelf, point: str) -> None:
        self._shelf, self._point = shelf, point
        self._spans: list[_EntrySpan] = []

    def append(self, measured: Round) -> None:
        with held:
            self._spans.append(self._shelf.put(self._point, measured))

    def add_stored(self, span: _EntrySpan) -> None:
        """Add a round that is in the file already."""
        self._spans.append(span)

    def __len__(self) -> int:
        return len(self._spans)

    @overload
    def __getitem__(self, index: int) -> Round: ...

    @overload
    def __getitem__(self, index: slice) -> list[Round]: ...

    def __getitem__(self, index: int | slice) -> Round | list[Round]:
        """One round for an index, a list of rounds for a slice."""
        if isinstance(index, slice):
            return [self._shelf.get(span) for span in self._spans[index]]
        return self._shelf.get(self._spans[index])


def _facts(records: Iterable[PointRecord]) -> bytes:
    return b"".join(_entry(RECORD, record.point.id, replace(record, rounds=[])) for record in records)


class _Unpickler(pickle.Unpickler):
    """Creates the agent's own records and plain types only; these cannot run code.

    The file is private to the agent's user as well.
    """

    def find_class(self, module: str, name: str) -> type[object]:
        cls = super().find_class(module, name) if f"{module}.{name}" in PLAIN or module in RECORD_MODULES else None
        if isinstance(cls, type) and (module not in RECORD_MODULES or cls.__module__ == module):
            return cls
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a record")


def _loaded(data: bytes) -> _Entry:
    entry: _Entry = _Unpickler(io.BytesIO(data)).load()
    return entry


def _entry(kind: str, point: str, value: _Value) -> bytes:
    data = pickle.dumps((kind, point, value), pickle.HIGHEST_PROTOCOL)
    return HEADER.pack(len(data), zlib.crc32(data)) + data
