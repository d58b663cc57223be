"""Undoes everything that an agent which was killed left behind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Callable

from benchagent.errors import AgentError, NotUndone, PreparationError
from benchagent.system.journal import Journal
from benchagent.system.orphans import end_orphans
from benchagent.system.owned_directory import contents

from . import loop
from .undo_noted import GROUP, QUEUE, SCRATCH, undo_noted

Step = Callable[[], Iterable[str]]


def clear(directory: Path, tell: Callable[[str], None]) -> None:
    """Undo what is left in, and noted in, an owned work directory; `tell` is given each thing in words.

    Raises NotUndone after all the rest, with the words of every step that failed.
    """
    stuck: list[str] = []
    try:
        journal = Journal(directory)
    except PreparationError as error:
        stuck.append(str(error))
        journal = None
    for step in _steps(directory, journal):
        try:
            for words in step():
                tell(words)
        except (AgentError, OSError) as error:
            stuck.append(str(error))
    if stuck:
        raise NotUndone("\n".join(stuck))


def _steps(directory: Path, journal: Journal | None) -> Iterator[Step]:
    """What there is to undo, in order; each is looked for when those before it are done."""
    yield partial(end_orphans, directory)
    yield from _noted(journal, GROUP)
    for point in loop.mounts_under(directory):
        yield partial(_unmount, point)
    yield from _noted(journal, QUEUE)  # before the loop device goes, which may be somebody else's next
    for device in loop.loops_under(directory):
        yield partial(_detach, device)
    for path in contents(directory):
        yield partial(_remove, path)
    yield from _noted(journal, SCRATCH)


def _noted(journal: Journal | None, kind: str) -> Iterator[Step]:
    """The newest first: what was changed twice has its first value in the oldest entry."""
    if journal is None:
        return
    for entry in reversed(journal.entries):
        if entry["undo"] == kind:
            yield partial(undo_noted, journal, entry)


def _unmount(point: Path) -> list[str]:
    loop.unmount(point)
    return [f"unmounted {point}"]


def _detach(device: Path) -> list[str]:
    loop.detach(device)
    return [f"detached {device}"]


def _remove(path: Path) -> list[str]:
    try:
        path.rmdir() if path.is_dir() else path.unlink()
    except OSError as error:
        raise PreparationError(f"Cannot remove {path}, left behind by an earlier run: {error.strerror}.") from None
    return [f"removed {path}"]
