"""Follows a spool while agents write it, by inotify(7), so that even short steps are seen."""

import ctypes
import os
import select
import struct
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from benchagent.spool.store import DOCUMENT, PENDING, SENT

IN_MOVED_TO, IN_CREATE, IN_CLOEXEC = 0x80, 0x100, 0o2000000
HEADER = struct.Struct("iIII")  # watch, mask, cookie, length of the name
POLL_MILLISECONDS = 100
_LIBC = ctypes.CDLL(None, use_errno=True)


class Watch:
    """`seen`: the ids of all documents that were ever complete; `told` gets each step in a document's life."""

    def __init__(self, spool: Path, told: Callable[[str], None]) -> None:
        self.seen: set[str] = set()
        self._told = told
        self._descriptor = _LIBC.inotify_init1(IN_CLOEXEC)
        self._folders = {self._add(spool / name): name for name in (PENDING, SENT)}

    def _add(self, folder: Path) -> int:
        number: int = _LIBC.inotify_add_watch(self._descriptor, os.fsencode(folder), IN_MOVED_TO | IN_CREATE)
        assert number > 0, os.strerror(ctypes.get_errno())
        return number

    def follow(self, stop: threading.Event) -> None:
        """Follow until `stop` is set and everything is read."""
        poll = select.poll()
        poll.register(self._descriptor, select.POLLIN)
        while True:
            if poll.poll(POLL_MILLISECONDS):
                for folder, mask, name in _events(os.read(self._descriptor, 65536), self._folders):
                    self._note(folder, mask, name)
            elif stop.is_set():
                os.close(self._descriptor)
                return

    def _note(self, folder: str, mask: int, name: str) -> None:
        document = DOCUMENT.fullmatch(name)
        if folder == PENDING and mask & IN_MOVED_TO and document:
            self.seen.add(document.group(1))
        if step := _step(folder, mask, name):
            self._told(step)


def _step(folder: str, mask: int, name: str) -> str | None:
    """The agent's latest step, if it is one that a kill should interrupt."""
    if name.startswith(".tmp-") and mask & IN_CREATE:
        return "writing a document" if folder == PENDING else "writing an answer"
    if mask & IN_MOVED_TO:
        if name.endswith(".answer.json"):
            return "answer kept, document not moved"
        return "document in the spool" if folder == PENDING else "document moved"
    return None


def _events(data: bytes, folders: Mapping[int, str]) -> Iterator[tuple[str, int, str]]:
    while data:
        watch, mask, _, length = HEADER.unpack_from(data)
        name = data[HEADER.size : HEADER.size + length].rstrip(b"\0")
        data = data[HEADER.size + length :]
        yield folders[watch], mask, os.fsdecode(name)


@contextmanager
def watching(spool: Path, told: Callable[[str], None]) -> Iterator[Watch]:
    watch, stop = Watch(spool, told), threading.Event()
    thread = threading.Thread(target=watch.follow, args=(stop,))
    thread.start()
    try:
        yield watch
    finally:
        stop.set()
        thread.join()
