"""Kernel files that stay open and are read again and again, each with the series that come from it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Callable

from benchagent.formats.sampled import SAMPLED

CHUNK = 65536


@dataclass(frozen=True)
class KernelFiles:
    """What the files of a probe hold. `parse` gives one integer for each of `names` from the content of one file.

    Integer × `scales` is in the base unit of the series. `source` is where a person finds the files. `combine` makes
    one integer of those of several files. `parse` raises ValueError or LookupError for a content that it cannot read.
    `copied`: the kernel copies the numbers when the file is opened, so it must be opened for each sample.
    `device`: the name of the disk that the series are of; None unless there are others of these names.
    """

    source: str
    names: Sequence[str]
    scales: Sequence[float]
    parse: Callable[[bytes], Sequence[int]]
    combine: Callable[[Iterable[int]], int] = sum
    copied: bool = False
    device: str | None = None


class Probe:
    """Open files and their samples. A file that is not there or cannot be read makes the probe `lost`.

    In a sample, a counter is its growth while programs ran, so it begins with 0; a level is as it was read.
    """

    def __init__(self, files: KernelFiles, paths: Sequence[str]) -> None:
        self.files, self._paths = files, paths
        self._grows = [SAMPLED[name].grows for name in files.names]
        self._descriptors: list[int] = []
        self._before: Sequence[int] | None = None
        self._now: Sequence[int] = [0] * len(files.names)
        self.samples: list[Sequence[int]] = []
        self.lost = not paths

    def open(self) -> None:
        """Open the files, again if the file system was mounted anew. Counters do not grow until the next sample."""
        self._before = None
        try:
            self._open()
        except OSError:
            self.lost = True

    def sample(self) -> None:
        """Read the files once."""
        if self.lost:
            return
        try:
            if self.files.copied:
                self._open()
            of_files = [self.files.parse(_content(descriptor)) for descriptor in self._descriptors]
        except (OSError, ValueError, LookupError):
            self.lost = True  # the device or the file system is gone, or the kernel has no such counters
            return
        values = of_files[0] if len(of_files) == 1 else [self.files.combine(group) for group in zip(*of_files)]
        before = values if self._before is None else self._before
        self._now = [
            sum_ + max(0, value - old) if grows else value
            for sum_, value, old, grows in zip(self._now, values, before, self._grows)
        ]
        self._before = values
        self.samples.append(self._now)

    def _open(self) -> None:
        self.close()
        for path in self._paths:
            self._descriptors.append(os.open(path, os.O_RDONLY | os.O_CLOEXEC))

    def close(self) -> None:
        """Close the files."""
        while self._descriptors:
            os.close(self._descriptors.pop())


def _content(descriptor: int) -> bytes:
    """The whole file: the kernel gives a long one in pieces."""
    content = os.pread(descriptor, CHUNK, 0)
    while piece := os.pread(descriptor, CHUNK, len(content)):
        content += piece
    return content
