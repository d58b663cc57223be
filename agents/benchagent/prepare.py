"""Makes a target ready for one visit and undoes everything afterwards, whatever ends the visit."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from . import loop
from .errors import PreparationError
from .filesystems import FILE_SYSTEMS, find_program, known_to_kernel
from .interrupts import held
from .orphans import end_orphans
from .owned import contents, owned
from .plan import Target
from .process import Outcome, run

SCRATCH = ".benchagent"  # the agent's own directory inside a directory target
Tick = Callable[[], None]


@dataclass(frozen=True)
class Step:
    """A timed step of the preparation: the test it is, and how it went."""

    test: str
    outcome: Outcome


@dataclass(frozen=True)
class Place:
    """A prepared target: the directory where tools run, and what was done to make it."""

    directory: Path
    steps: tuple[Step, ...] = ()
    empty_cache: Callable[[], None] | None = None  # where the target can be remounted


def why_not(target: Target) -> str | None:
    """Why this machine cannot prepare the target, None where it can."""
    if target.kind == "directory":
        if target.path is None:
            return "the plan leaves the directory open; name it with --directory"
        return None if os.path.isdir(target.path) else f"{target.path} is not a directory"
    if os.geteuid() != 0:
        return "image files can be mounted only by root"
    file_system = FILE_SYSTEMS[target.file_system]
    if file_system.find() is None:
        return f"{file_system.program} is not installed (Debian package: {file_system.package})"
    if not known_to_kernel(target.file_system):
        return f"this kernel does not know {target.file_system}"
    return None


def mkfs_command(target: Target) -> tuple[str, ...]:
    """What makes an image's file system, without the device: its number is no setting."""
    file_system = FILE_SYSTEMS[target.file_system]
    keep = () if target.sparse else file_system.keep
    return (file_system.program, *file_system.force, *keep, *target.mkfs_options)


@contextmanager
def prepared(target: Target, work: Path, tick: Tick) -> Iterator[Place]:
    """The target, made anew. `work` is the agent's own directory, where images live.

    Raises PreparationError with the words of the program that failed.
    """
    with _image(target, work, tick) if target.kind == "image" else _directory(target) as place:
        yield place


@contextmanager
def _image(target: Target, work: Path, tick: Tick) -> Iterator[Place]:
    image, point = work / f"{target.name}.img", work / f"{target.name}.mnt"
    undo = ExitStack()
    try:
        with held():
            _allocate(image, target)
            undo.callback(image.unlink)
            device = loop.attach(image, direct_io=target.direct_io)
            undo.callback(loop.detach, device)
            point.mkdir()
            undo.callback(point.rmdir)
        command = mkfs_command(target)
        made = _step("mkfs", (*command, str(device)), tick)
        mount = ("mount", "-t", target.file_system, *_mount_options(target), str(device), str(point))
        with held():
            undo.callback(_unmount, point)
            mounted = _step("mount", mount, tick)

        def empty_cache() -> None:
            with held():
                _unmount(point)
                loop.forget_cached(image)
                _step("mount", mount, tick)

        yield Place(point, (made, mounted), empty_cache)
    finally:
        with held():
            undo.close()


@contextmanager
def _directory(target: Target) -> Iterator[Place]:
    with owned(Path(target.path or "") / SCRATCH) as own:
        files = own / "files"
        try:
            _empty(own)
            files.mkdir()
            yield Place(files)
        finally:
            with held():
                shutil.rmtree(own)


def _allocate(image: Path, target: Target) -> None:
    descriptor = os.open(image, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        if target.sparse:
            os.ftruncate(descriptor, target.size)
        else:
            os.posix_fallocate(descriptor, 0, target.size)
    except OSError as error:
        image.unlink()
        raise PreparationError(f"Cannot make an image of {target.size} bytes: {error.strerror}.") from None
    finally:
        os.close(descriptor)


def _mount_options(target: Target) -> tuple[str, ...]:
    return ("-o", ",".join(target.mount_options)) if target.mount_options else ()


def _step(test: str, command: tuple[str, ...], tick: Tick) -> Step:
    outcome = run(command, executable=find_program(command[0]), tick=tick)
    if not outcome.ok:
        raise PreparationError(f"{command[0]}: {outcome.error}")
    return Step(test, outcome)


def _unmount(point: Path) -> None:
    if point.is_mount():
        loop.unmount(point)


def _empty(own: Path) -> None:
    """Remove what an agent that was killed left behind."""
    end_orphans(own)
    for path in contents(own):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
