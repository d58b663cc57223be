"""Measured rounds, kept in a file until their documents are made: while a tool runs, the memory is the tool's.

Every result of every round is half a kilobyte of memory, and raw output comes on top; a plan of a hundred points and
ten rounds would fill tens of megabytes.
"""

from __future__ import annotations

import os
import pickle
import tempfile
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .records import Round


class _Place(NamedTuple):
    """Where a round lies in the file, in bytes."""

    offset: int
    length: int


class Shelf:
    """One file for all points, made when it is needed first. It has no name, so a killed agent leaves nothing."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._file: int | None = None

    def put(self, measured: Round) -> _Place | Round:
        """Write a round to the file. Where the disk is full or refuses, the round itself comes back, to be held."""
        data = pickle.dumps(measured, pickle.HIGHEST_PROTOCOL)
        try:
            if self._file is None:
                self._file = self._open()
            offset, written = os.lseek(self._file, 0, os.SEEK_END), 0
            while written < len(data):
                written += os.pwrite(self._file, data[written:], offset + written)
        except OSError:
            return measured
        return _Place(offset, len(data))

    def get(self, place: _Place) -> Round:
        """Read a round that `put` wrote."""
        assert self._file is not None
        data = b""
        while chunk := os.pread(self._file, place.length - len(data), place.offset + len(data)):
            data += chunk
        measured: Round = pickle.loads(data)  # our own file, which nobody else can open
        return measured

    def _open(self) -> int:
        with tempfile.TemporaryFile(dir=self._directory) as file:
            descriptor = os.dup(file.fileno())
        weakref.finalize(self, os.close, descriptor)
        return descriptor


class Rounds(Sequence["Round"]):
    """The rounds of one point, in the order of their numbers."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._kept: list[_Place | Round] = []

    def append(self, measured: Round) -> None:
        self._kept.append(self._shelf.put(measured))

    def __len__(self) -> int:
        return len(self._kept)

    def __getitem__(self, index: Any) -> Any:
        """One round for a number, a list of them for a slice."""
        if isinstance(index, slice):
            return [self._read(each) for each in self._kept[index]]
        return self._read(self._kept[index])

    def _read(self, kept: _Place | Round) -> Round:
        return self._shelf.get(kept) if isinstance(kept, _Place) else kept
