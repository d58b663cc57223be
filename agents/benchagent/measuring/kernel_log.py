"""Reads the lines that the kernel logs during a measurement, and finds those that spoil the measurement.

Source: Documentation/ABI/testing/dev-kmsg of the kernel. One read returns one record,
`PRIORITY,NUMBER,MICROSECONDS,…;TEXT`, followed by lines of properties, which are not used.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

from .kernel_trouble import disturbance

KMSG = Path("/dev/kmsg")
MOST_LINES = 100  # kept for one measurement
LONGEST_LINE = 500  # characters
LONGEST_RECORD = 16 * 1024  # bytes; the kernel's own limit is 8 KiB
_UUID = re.compile(r"\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b")
# Servers of NFS and SMB; the kernel writes a backslash as \\x5c.
_SERVER = re.compile(
    r"(?i)(\bserver )[^\s,]+(?= (?:not responding|OK$|with error|error:|has not))|((?:\\x5c){2})(?:[^\s\\]|\\x5c)+"
)
_TASK = re.compile(r"^\[ *\d+\] +\d+ +\d+ ")  # a row of the list of programs before an OOM kill


@dataclass(frozen=True)
class KernelLines:
    """Lines of the kernel's log. `disturbances` counts the lines of each kind, including those `left_out` of `lines`.

    `complete` is false if lines were overwritten before they could be read.
    """

    lines: tuple[str, ...] = ()
    left_out: int = 0
    disturbances: Counter[str] = field(default_factory=Counter)
    complete: bool = True


class KernelLog:
    """The kernel's log from now on. If access is denied, `readable` is false and every read is empty."""

    def __init__(self, scrub: Callable[[str], str], path: Path = KMSG) -> None:
        self._scrub = scrub
        self._descriptor: int | None = None
        try:
            self._descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            self.forget()
        except OSError:
            self.close()
        self.readable = self._descriptor is not None

    def forget(self) -> None:
        """Skip the records logged so far."""
        if self._descriptor is not None:
            os.lseek(self._descriptor, 0, os.SEEK_END)

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def read(self, *, only_trouble: bool = False) -> KernelLines:
        """The scrubbed lines logged since the last read; if there are too many, lines about trouble go first."""
        kinds: Counter[str] = Counter()
        kept: dict[bool, list[tuple[int, str]]] = {True: [], False: []}
        complete, number = True, 0
        for text in self._records():
            complete = complete and text is not None
            if text is None:
                continue
            kind = disturbance(text)
            kinds.update([kind] if kind else [])
            if only_trouble and not kind:
                continue
            if len(kept[kind is not None]) < MOST_LINES:
                kept[kind is not None].append((number, text))
            number += 1
        lines = sorted((kept[True] + kept[False])[:MOST_LINES])
        scrubbed = tuple(self._without_names(text)[:LONGEST_LINE] for _, text in lines)
        return KernelLines(scrubbed, number - len(scrubbed), kinds, complete)

    def _without_names(self, text: str) -> str:
        return _SERVER.sub(r"\1\2<server>", _UUID.sub("<uuid>", self._scrub(text)))

    def _records(self) -> Iterator[str | None]:
        """The texts of the records; None in place of overwritten ones."""
        while self._descriptor is not None:
            try:
                record = os.read(self._descriptor, LONGEST_RECORD)
            except BlockingIOError:
                return
            except BrokenPipeError:
                yield None
                continue
            if not record:
                return
            first = record.decode("utf-8", "replace").partition("\n")[0]
            text = first.partition(";")[2].replace("\0", "").strip()
            if text and not _TASK.match(text):
                yield text


def joined(parts: Sequence[KernelLines]) -> KernelLines:
    """Several KernelLines, in the order of time, as one."""
    lines = [line for part in parts for line in part.lines]
    return KernelLines(
        tuple(lines[:MOST_LINES]),
        sum(part.left_out for part in parts) + len(lines[MOST_LINES:]),
        sum((part.disturbances for part in parts), Counter()),
        all(part.complete for part in parts),
    )
