#!/usr/bin/env python3
"""The budget for file lengths: over 300 lines asks for a second look, over 500 is an error. `make check` calls it."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WATCHED = ("benchdb", "agents", "frontend/src", "frontend/styles", "tools")
SUFFIXES = {".py", ".ts", ".c", ".h", ".html", ".scss"}
# Made by a program, or not read from top to bottom.
APART = {"migrations", "tests", "data", "build", "node_modules", "__pycache__", "publications"}
SECOND_LOOK = 300
LIMIT = 500


def lengths(root: Path, watched: Iterable[str]) -> dict[Path, int]:
    """The number of lines of every file that the budget covers."""
    files = (
        path for name in watched for path in (root / name).rglob("*") if path.suffix in SUFFIXES and path.is_file()
    )
    covered = (path for path in files if not APART.intersection(path.relative_to(root).parts))
    return {path.relative_to(root): len(path.read_bytes().splitlines()) for path in covered}


def main() -> int:
    """Print what is over the budget, longest first."""
    found = sorted(lengths(ROOT, WATCHED).items(), key=lambda item: -item[1])
    for path, lines in found:
        if lines > LIMIT:
            print(f"{path}: {lines} lines, over the limit of {LIMIT}")
        elif lines > SECOND_LOOK:
            print(f"{path}: {lines} lines, worth a second look (over {SECOND_LOOK})")
    return 1 if found and found[0][1] > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
