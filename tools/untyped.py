#!/usr/bin/env python3
"""Checks how often the server and the agent say `Any`, which turns the type checker off: fewer than 200 times.

Each occurrence of the word counts, import lines and comments included. What is left is at the edges: JSON that was just
read, arguments of frameworks, and the registry of the kinds of comparison.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WATCHED = ("benchdb", "agents/benchagent")
BOUND = 200  # the number must stay below
MOST_LISTED = 20
WORD = re.compile(r"\bAny\b")


def occurrences(root: Path) -> dict[str, int]:
    """The number of occurrences by file, the largest first; files without any are left out."""
    counts = {
        str(path.relative_to(root)): len(WORD.findall(path.read_text()))
        for folder in WATCHED
        for path in sorted((root / folder).rglob("*.py"))
    }
    return {file: count for file, count in sorted(counts.items(), key=lambda item: -item[1]) if count}


def main(root: Path = ROOT) -> int:
    """Print the number, and the files if there are too many; 1 if there are."""
    counts = occurrences(root)
    total = sum(counts.values())
    print(f"{total} times Any in {len(counts)} files; fewer than {BOUND} are allowed")
    if total < BOUND:
        return 0
    for file, count in list(counts.items())[:MOST_LISTED]:
        print(f"{count:5} {file}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
