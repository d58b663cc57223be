"""Builds fsload from its C source, which comes with the agent, with this machine's compiler when it is first needed.

A program's file name contains its source's digest and the kind of machine, so that another version of the agent, or a
home directory on another machine, never runs the wrong one.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from benchagent.system.process import run
from benchagent.system.programs import find_program

if TYPE_CHECKING:
    from importlib.abc import Traversable

CLONE = Path(__file__).parents[3] / "engine"  # the source in a clone; elsewhere it is in the package
MADE = CLONE / "build" / "fsload"  # by make
FLAGS = ("-std=c17", "-D_GNU_SOURCE", "-O2", "-pthread", "-Isrc")
COMPILER = "cc"
COMPILER_PACKAGES = ("gcc", "libc6-dev")  # Debian's
PACKAGES = f"Debian packages: {', '.join(COMPILER_PACKAGES)}; Fedora package: gcc"
TIMEOUT = 600.0  # seconds; building takes ten on a slow machine
DIGITS = 12  # hexadecimal digits of a digest


class EngineMissing(Exception):
    """There is no fsload, and none can be built; the text has the reason and the remedy."""


def program(directory: Path) -> Path:
    """The fsload of this agent's own source: the one that make built if it is current, else the one in `directory`.

    The latter is built now if it is missing. Raises EngineMissing, with the remedy, if that is impossible.
    """
    files = source()
    if MADE.is_file() and is_of(MADE, version_of(files)):
        return MADE
    path = directory / f"fsload-{_kind(files)}"
    if not path.is_file():
        with _locked(directory):
            if not path.is_file():  # another agent may have built it while this one waited
                _build(files, path)
    if not os.access(path, os.X_OK):
        raise EngineMissing(f"nothing may be run from {directory}; set BENCHAGENT_STATE to another place")
    return path


@lru_cache(maxsize=1)
def source() -> Mapping[str, bytes]:
    """The C files by their paths, such as `src/crew.c`, sorted by path."""
    root = resources.files("benchagent").joinpath("fsload")
    found = dict(_files(root if root.is_dir() else CLONE, "src"))
    return {name: found[name] for name in sorted(found)}


def version_of(files: Mapping[str, bytes]) -> str:
    """The digest of the source: the part after the `+` of fsload's version. engine/Makefile computes the same."""
    return hashlib.sha256(b"".join(files.values())).hexdigest()[:DIGITS]


def is_of(path: Path, version: str) -> bool:
    """Whether this fsload reports that it was built from the source with this version."""
    try:
        return run([str(path), "--version"], timeout=10.0).stdout.strip().endswith(f"+{version}")
    except OSError:  # built for another kind of machine
        return False


def _files(root: Traversable, name: str) -> Iterator[tuple[str, bytes]]:
    """The C files below `root/name`; `root` is a Path, or its counterpart in a .pyz."""
    for entry in root.joinpath(name).iterdir():
        path = f"{name}/{entry.name}"
        if entry.is_dir():
            yield from _files(root, path)
        elif path.endswith((".c", ".h")):
            yield path, entry.read_bytes()


def _kind(files: Mapping[str, bytes]) -> str:
    """A digest of everything that distinguishes programs: source, flags, processor and C library."""
    library = os.confstr("CS_GNU_LIBC_VERSION") if "CS_GNU_LIBC_VERSION" in os.confstr_names else "other"
    kind = repr((FLAGS, os.uname().machine, library)).encode()
    return f"{version_of(files)}-{hashlib.sha256(kind).hexdigest()[:DIGITS]}"


@contextmanager
def _locked(directory: Path) -> Iterator[None]:
    """Let one agent build at a time while others wait, and remove what a killed one left."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(directory / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise EngineMissing(f"it cannot be built in {directory}: {error.strerror}; set BENCHAGENT_STATE") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for left in directory.glob("build-*"):
            shutil.rmtree(left)
        yield
    finally:
        os.close(lock)


def _build(files: Mapping[str, bytes], path: Path) -> None:
    """Compile into a directory beside `path`, and move the program there when it is complete and on the disk."""
    compiler = find_program(COMPILER)
    if compiler is None:
        raise EngineMissing(f"there is no C compiler to build it with ({PACKAGES})")
    print("benchagent: building fsload from its source, once; this takes some seconds", file=sys.stderr, flush=True)
    try:
        with tempfile.TemporaryDirectory(prefix="build-", dir=path.parent) as work:
            built = _compile(compiler, files, Path(work))
            _flush(built)
            os.replace(built, path)
    except OSError as error:
        raise EngineMissing(f"it cannot be built in {path.parent}: {error.strerror}") from None


def _compile(compiler: str, files: Mapping[str, bytes], work: Path) -> Path:
    for name, content in files.items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_bytes(content)
    units = [name for name in files if name.endswith(".c")]
    version = f'-DFSLOAD_SOURCE="+{version_of(files)}"'
    outcome = run([compiler, *FLAGS, version, "-o", "fsload", *units, "-lm"], directory=work, timeout=TIMEOUT)
    if not outcome.ok:
        faults = [line for line in outcome.stderr.splitlines() if "error" in line][:3] or [outcome.error]
        raise EngineMissing("the C compiler failed: " + "\n".join(faults) + f"\n({PACKAGES})")
    return work / "fsload"


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
