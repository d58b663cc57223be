"""A directory that stays open, so that its entries are removed there, whatever its path names by then.

Another user may replace a part of the path by a link at any moment, and what is behind the link must not be touched.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True)
class OpenDirectory:
    """An open directory, and the path by which it was opened."""

    path: Path
    descriptor: int

    def names(self) -> list[str]:
        """The names of the entries, sorted."""
        # Opened anew, because on btrfs an open directory does not list entries that were added later.
        again = os.open(".", FLAGS, dir_fd=self.descriptor)
        try:
            return sorted(os.listdir(again))
        finally:
            os.close(again)

    def remove(self, name: str) -> None:
        """Remove an entry, a directory with everything in it. A link is removed, and never followed."""
        try:
            os.unlink(name, dir_fd=self.descriptor)
        except IsADirectoryError:
            # rmtree refuses links itself. It has no dir_fd before Python 3.11.
            shutil.rmtree(f"/proc/self/fd/{self.descriptor}/{name}")

    @contextmanager
    def inside(self, name: str) -> Iterator[OpenDirectory]:
        """The directory `name` in this one, which must not be a link. Raises OSError."""
        with opened(self.path / name, self.descriptor) as directory:
            yield directory


@contextmanager
def opened(path: Path, parent: int | None = None) -> Iterator[OpenDirectory]:
    """Open a directory, whose last name must not be a link, for the block; from the descriptor `parent` if given.

    Raises OSError.
    """
    descriptor = os.open(path, FLAGS) if parent is None else os.open(path.name, FLAGS, dir_fd=parent)
    try:
        yield OpenDirectory(path, descriptor)
    finally:
        os.close(descriptor)
