"""The rounds of one campaign, in a file until their documents are made.

While a tool runs, the memory is the tool's; and whatever ends the agent, the rounds that were finished are there.

Every result of every round is half a kilobyte of memory, and raw output comes on top; a plan of a hundred points and
ten rounds would fill tens of megabytes.

The file begins with a line of JSON that names its format, the campaign and the agent's version. Entries follow, each
with its length and checksum: pickles of `(kind, point, value)`. Only the version that wrote them can read them.
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
from typing import TYPE_CHECKING, Any, Callable, NamedTuple

from benchagent import __version__
from benchagent.system.interrupts import held
from benchagent.system.whole_files import write_all

from .running_files import RunningFile

if TYPE_CHECKING:
    from benchagent.documents.records import Frame, Record, Round

SCHEMA = "benchagent.rounds/2"
LONGEST_HEAD = 4096  # bytes
# What entries are made of: classes of these modules, and times.
OWN = {f"benchagent.{name}" for name in ("documents.records", "formats.model", "plan.model", "toml.quantities")}
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


class _Place(NamedTuple):
    """Where an entry lies in the file, in bytes."""

    offset: int
    length: int


class Found(NamedTuple):
    """What a file holds; `torn` are the bytes at its end that are no whole entry."""

    frame: Frame
    records: list[Record]
    torn: int


def beginning(frame: Frame, records: Iterable[Record]) -> bytes:
    """What a file begins with: all that documents say beside their rounds, as far as it is known."""
    head = {"schema": SCHEMA, "agent": __version__, "campaign_id": frame.campaign_id}
    return json.dumps(head).encode() + b"\n" + _entry(FRAME, None, frame) + _facts(records)


def head_of(file: RunningFile) -> dict[str, Any] | None:
    """The first line of a file; None where it is none of ours."""
    line, end, _ = os.pread(file.descriptor, LONGEST_HEAD, 0).partition(b"\n")
    try:
        found = json.loads(line) if end else None
    except ValueError:
        return None
    return found if isinstance(found, dict) and found.get("schema") == SCHEMA else None


def read(file: RunningFile) -> Found:
    """What a file of this version holds; the rounds stay there. Raises whatever a pickle of other classes raises."""
    shelf = Shelf()
    shelf.open(file)
    frame: Frame | None = None
    records: dict[str, Record] = {}
    rounds: dict[str, Rounds] = {}
    for place, (kind, point, value) in shelf.entries():
        if kind == FRAME:
            frame = value
        elif kind == RECORD:
            records[point] = replace(value, rounds=rounds.setdefault(point, Rounds(shelf, point)))
        else:
            rounds[point].found(place)
    assert frame is not None  # it was on the disk before the file had its name
    return Found(frame, list(records.values()), shelf.torn)


class Shelf:
    """One file for all points. What the disk refuses, and everything as long as there is no file, stays in memory.

    `room` hears how many bytes are about to be written, and `refused`, once, why the disk did not take them.
    """

    def __init__(
        self, room: Callable[[int], None] = lambda size: None, refused: Callable[[str], None] = lambda why: None
    ) -> None:
        self._room, self._refused = room, refused
        self._file: RunningFile | None = None
        self._end, self._rest = 0, bytearray()  # the rest is what follows where the file ends
        self._said = False
        self.torn = 0

    def open(self, file: RunningFile) -> None:
        """Write to the end of this file from now on."""
        assert not self._rest
        self._file, self._end = file, os.fstat(file.descriptor).st_size

    def note(self, records: Iterable[Record]) -> None:
        """Write what is known of points beside their rounds; what was written of them before no longer counts."""
        self._append(_facts(records))

    def put(self, point: str, measured: Round) -> _Place:
        """Write a round. When this returns it survives a power cut, if the disk took it."""
        entry = _entry(ROUND, point, measured)
        place = _Place(self._end + len(self._rest), len(entry))
        self._append(entry)
        return place

    def get(self, place: _Place) -> Round:
        """Read a round that `put` wrote, or `entries` found."""
        measured: Round = _loaded(self._read(*place)[HEADER.size :])[2]
        return measured

    def entries(self) -> Iterator[tuple[_Place, tuple[str, str, Any]]]:
        """All whole entries of the file in order; then `torn` says how many bytes are left."""
        assert self._file is not None
        offset = os.pread(self._file.descriptor, LONGEST_HEAD, 0).index(b"\n") + 1
        while offset < self._end:
            length, checksum = HEADER.unpack(self._read(offset, HEADER.size).ljust(HEADER.size, b"\0"))
            data = self._read(offset + HEADER.size, length) if 0 < length <= self._end - offset else b""
            if not data or len(data) != length or zlib.crc32(data) != checksum:
                self.torn = self._end - offset
                return
            place = _Place(offset, HEADER.size + length)
            yield place, _loaded(data)
            offset += place.length

    def _append(self, data: bytes) -> None:
        with held():
            self._rest += data
            if self._file is None:
                return
            try:
                self._room(len(data))
                os.lseek(self._file.descriptor, self._end, os.SEEK_SET)
                write_all(self._file.descriptor, self._rest)
                os.fsync(self._file.descriptor)
            except OSError as error:  # the next entry tries again
                if not self._said:
                    self._said = True
                    self._refused(str(error.strerror))
                return
            self._end += len(self._rest)
            self._rest = bytearray()

    def _read(self, offset: int, length: int) -> bytes:
        """Fewer bytes where there are no more."""
        if offset >= self._end:
            return bytes(self._rest[offset - self._end :][:length])
        assert self._file is not None
        data = b""
        while chunk := os.pread(self._file.descriptor, length - len(data), offset + len(data)):
            data += chunk
        return data


class Rounds(Sequence["Round"]):
    """The rounds of one point, in the order of their numbers."""

    def __init__(self, shelf: Shelf, point: str) -> None:
        self._shelf, self._point = shelf, point
        self._places: list[_Place] = []

    def append(self, measured: Round) -> None:
        with held():
            self._places.append(self._shelf.put(self._point, measured))

    def found(self, place: _Place) -> None:
        """This one is in the file already."""
        self._places.append(place)

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, index: Any) -> Any:
        """One round for a number, a list of them for a slice."""
        if isinstance(index, slice):
            return [self._shelf.get(each) for each in self._places[index]]
        return self._shelf.get(self._places[index])


def _facts(records: Iterable[Record]) -> bytes:
    return b"".join(_entry(RECORD, each.point.id, replace(each, rounds=[])) for each in records)


class _Unpickler(pickle.Unpickler):
    """Makes our own records and times, and nothing that could do something. The file is ours alone all the same."""

    def find_class(self, module: str, name: str) -> Any:
        found = super().find_class(module, name) if f"{module}.{name}" in PLAIN or module in OWN else None
        if isinstance(found, type) and (module not in OWN or found.__module__ == module):
            return found
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a record")


def _loaded(data: bytes) -> Any:
    return _Unpickler(io.BytesIO(data)).load()


def _entry(kind: str, point: str | None, value: Any) -> bytes:
    data = pickle.dumps((kind, point, value), pickle.HIGHEST_PROTOCOL)
    return HEADER.pack(len(data), zlib.crc32(data)) + data
