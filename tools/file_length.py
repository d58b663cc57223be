#!/usr/bin/env python3
"""Checks the length of every source file: over 300 lines deserves a second look, over 500 is an error."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WATCHED = ("benchdb", "agents", "frontend", "tools", "tests", "deploy", "manage.py")
SUFFIXES = {".py", ".ts", ".mjs", ".c", ".h", ".html", ".scss"}
# Written by programs, or outputs of tools that tests read.
GENERATED = {"migrations", "build", "dist", "node_modules", "__pycache__", "golden", "outputs", "trees", "expected"}
SECOND_LOOK = 300
LIMIT = 500


def lengths(root: Path, watched: Iterable[str]) -> dict[Path, int]:
    """The number of lines of every file that the limit covers, by its path below `root`."""
    roots = [root / name for name in watched]
    files = [path for top in roots for path in (top.rglob("*") if top.is_dir() else [top])]
    covered = [
        path
        for path in files
        if path.suffix in SUFFIXES and path.is_file() and not GENERATED.intersection(path.relative_to(root).parts)
    ]
    return {path.relative_to(root): len(path.read_bytes().splitlines()) for path in covered}


def main() -> int:
    """Print the files that are too long, the longest first."""
    longest_first = sorted(lengths(ROOT, WATCHED).items(), key=lambda item: -item[1])
    for path, lines in longest_first:
        if lines > LIMIT:
            print(f"{path}: {lines} lines, over the limit of {LIMIT}")
        elif lines > SECOND_LOOK:
            print(f"{path}: {lines} lines, worth a second look (over {SECOND_LOOK})")
    return 1 if longest_first and longest_first[0][1] > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
