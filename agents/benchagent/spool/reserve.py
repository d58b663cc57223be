"""Reserves disk space for documents, in case something else fills the disk during the measurement."""

from __future__ import annotations

import os
from pathlib import Path

from benchagent.system.atomic_files import make_temporary

BLOCK = 4096  # bytes; the space that a document of one byte takes


class Reserve:
    """An empty file with allocated space, given back as documents are written.

    After a crash, the next start removes it.
    """

    def __init__(self, directory: Path, size: int) -> None:
        """Reserve `size` bytes. Raises OSError if they are not free."""
        self._descriptor, self._path = make_temporary(directory)
        self._size = size
        try:
            os.posix_fallocate(self._descriptor, 0, size)
        except OSError:
            self.release()
            raise

    def give(self, size: int) -> None:
        """Free the space of a document of `size` bytes, and keep the space of the next documents."""
        self._size = max(0, self._size - size - 4 * BLOCK)
        if self._descriptor >= 0:
            os.ftruncate(self._descriptor, self._size)

    def release(self) -> None:
        """Free the rest."""
        if self._descriptor >= 0:
            self._path.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = -1
