#!/usr/bin/env python3
"""Checks that every class name has one meaning in the repository: no two classes have the same name.

Words of the data model may name a model, a section of the contract and a class of the agent, because all of them mean
the same thing (docs/result-format.md). `make check` runs this.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WATCHED = ("benchdb", "agents/benchagent", "tools")
SHARED = {
    *("Machine", "Environment", "Target", "Workload", "Plan", "Campaign", "Job", "Agent"),
    *("Point", "Round", "Run", "Result", "Artifact", "Evidence", "Source", "Document"),
    *("Meta", "Command", "Migration", "Config"),  # names that Django expects
}


def classes(root: Path) -> Iterator[tuple[str, Path]]:
    """The name and the file of every class at the top level of a module."""
    for top in WATCHED:
        for path in sorted((root / top).rglob("*.py")):
            if "migrations" not in path.parts:
                tree = ast.parse(path.read_text())
                yield from ((node.name, path.relative_to(root)) for node in tree.body if isinstance(node, ast.ClassDef))


def duplicates(root: Path) -> dict[str, list[Path]]:
    """Names of several classes, with the files of these classes."""
    files = defaultdict(list)
    for name, path in classes(root):
        files[name].append(path)
    return {name: paths for name, paths in sorted(files.items()) if len(paths) > 1 and name not in SHARED}


def main() -> int:
    """Print the names that several classes have."""
    names = duplicates(ROOT)
    for name, paths in names.items():
        print(f"{name}: {', '.join(map(str, paths))}")
    return 1 if names else 0


if __name__ == "__main__":
    sys.exit(main())
