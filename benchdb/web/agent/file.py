"""Builds the agent as a single file for test machines: a zip archive that Python runs, with all dependencies.

The same sources give the same bytes on every server: entries are sorted, stored uncompressed and carry no times.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import distribution
from pathlib import Path

from django.conf import settings

AGENTS = settings.BASE_DIR / "agents"
SHEBANG = b"#!/usr/bin/env python3\n"
# Valid in any Python version, so that an old one prints the requirement and not a syntax error.
MAIN = b"""\
import sys

if sys.version_info < (3, 9):
    sys.exit("benchagent needs Python 3.9 or newer, and this is Python " + sys.version.split()[0])

from benchagent.cli import main

sys.exit(main())
"""
# The contents: folders of the agent, file patterns, and the folder in the archive.
SOURCES = (
    ("benchagent", ("*.py",), "benchagent"),
    ("engine/src", ("*.c", "*.h"), "benchagent/fsload/src"),
    ("plans", ("*",), "benchagent/plans"),
)
# The agent's only dependency, for TOML before Python 3.11.
BUNDLED = "tomli"


@dataclass(frozen=True)
class AgentFile:
    """The file and its SHA-256 in hexadecimal digits."""

    data: bytes
    sha256: str


@cache
def agent_file() -> AgentFile:
    """The agent in this server's version, built at the first call."""
    data = archive(AGENTS)
    return AgentFile(data, hashlib.sha256(data).hexdigest())


def archive(agents: Path) -> bytes:
    """The archive of the agent whose sources are in this folder."""
    entries = {"__main__.py": MAIN, **dict(_sources(agents)), **dict(_bundled())}
    buffer = io.BytesIO()
    buffer.write(SHEBANG)
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as file:
        for name in sorted(entries):
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.create_system, info.external_attr = 3, 0o644 << 16  # Unix, readable for all
            file.writestr(info, entries[name])
    return buffer.getvalue()


def _sources(agents: Path) -> Iterator[tuple[str, bytes]]:
    for folder, patterns, destination in SOURCES:
        for path in (path for pattern in patterns for path in (agents / folder).rglob(pattern)):
            if path.is_file() and "__pycache__" not in path.parts:
                yield f"{destination}/{path.relative_to(agents / folder).as_posix()}", path.read_bytes()


def _bundled() -> Iterator[tuple[str, bytes]]:
    """tomli's Python modules, without compiled ones, and its licence."""
    for path in distribution(BUNDLED).files or ():
        if path.suffix == ".py":
            yield path.as_posix(), path.read_binary()
        elif path.name == "LICENSE":
            yield f"{BUNDLED}/LICENSE", path.read_binary()
