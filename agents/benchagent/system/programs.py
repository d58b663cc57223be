"""Finds programs, including those that only administrators have on their path."""

from __future__ import annotations

import shutil

ADMIN_PATHS = "/usr/local/sbin:/usr/sbin:/sbin"  # not on the PATH of everyone who may become root


def find_program(name: str) -> str | None:
    """The absolute path of a program on the PATH or in the directories of administrators; None if there is none."""
    return shutil.which(name) or shutil.which(name, path=ADMIN_PATHS)
