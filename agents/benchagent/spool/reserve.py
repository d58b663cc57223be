"""Space that stays free for the documents, whatever fills the disk while they are measured."""

from __future__ import annotations

import os
from pathlib import Path

from benchagent.system.whole_files import make_temporary

BLOCK = 4096  # bytes; what a document of one byte takes


class Reserve:
    """A file without content that gives way to the documents. Who finds it after a crash takes it for abandoned."""

    def __init__(self, directory: Path, size: int) -> None:
        """Take `size` bytes. Raises OSError where there are not so many."""
        self._descriptor, self._path = make_temporary(directory)
        self._size = size
        try:
            os.posix_fallocate(self._descriptor, 0, size)
        except OSError:
            self.release()
            raise

    def give(self, size: int) -> None:
        """Free the space of a document of `size` bytes; no more, so that nobody else takes that of the next."""
        self._size = max(0, self._size - size - 4 * BLOCK)
        if self._descriptor >= 0:
            os.ftruncate(self._descriptor, self._size)

    def release(self) -> None:
        """Free the rest."""
        if self._descriptor >= 0:
            self._path.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = -1
