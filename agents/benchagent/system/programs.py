"""Finds programs, including those that only administrators have on their path."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from .process import run

ADMIN_PATHS = "/usr/local/sbin:/usr/sbin:/sbin"  # not on the PATH of everyone who may become root
_replaced: dict[str, str] = {}  # paths by the names of programs, while `replacing`


def find_program(name: str) -> str | None:
    """The absolute path of a program on the PATH or in the directories of administrators; None if there is none."""
    if name in _replaced:
        return shutil.which(_replaced[name])
    return shutil.which(name) or shutil.which(name, path=ADMIN_PATHS)


def version_of(name: str, argument: str = "-V") -> str | None:
    """The version that a program prints, such as `1.47.0`; None if it is not installed or prints none."""
    program = find_program(name)
    outcome = run([program, argument]) if program else None
    version = re.search(r"[0-9]+\.[0-9]+[0-9a-z.~+-]*", outcome.stdout + outcome.stderr) if outcome else None
    return version.group() if version else None


@contextmanager
def replacing(paths: Mapping[str, str]) -> Iterator[None]:
    """Find these programs at these paths, and nowhere else, until the block ends."""
    before = dict(_replaced)
    _replaced.update(paths)
    try:
        yield
    finally:
        _replaced.clear()
        _replaced.update(before)
