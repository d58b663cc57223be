#!/usr/bin/env python3
"""Prints every package with the number of its modules; `make check` runs it with `--check`.

    tools/layout.py                 packages of the server, the agent and the tests
    tools/layout.py --at v0.1.0     the packages of a commit beside the present ones
    tools/layout.py --check         only breaches of the rules; exit code 1 if there is one

The rules: a package has at most 20 modules, `__init__.py` not counted, also in the tests; a file does not repeat its
package's name; each `__init__.py` of the server and the agent has a docstring of one to three sentences, and more only
if the package has an interface to explain.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent
PRODUCT = ("benchdb", "agents/benchagent")
MOST_MODULES = 20


def sources(revision: str | None = None) -> list[PurePosixPath]:
    """The Python files in git, now or in `revision`, without migrations. Raises CalledProcessError."""
    tree = ["ls-tree", "-r", "--name-only", revision] if revision else ["ls-files", "--cached", "--others"]
    command = ["git", *tree, *([] if revision else ["--exclude-standard"]), "--", *PRODUCT, "tests"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    paths = [PurePosixPath(line) for line in listed if line.endswith(".py")]
    return [path for path in paths if "migrations" not in path.parts and (revision or (ROOT / path).exists())]


def modules(paths: Iterable[PurePosixPath]) -> Counter[str]:
    """The number of modules in each package, by the package's path."""
    packages = Counter({str(path.parent): 0 for path in paths})
    packages.update(str(path.parent) for path in paths if path.name != "__init__.py")
    return packages


def breaches(paths: Iterable[PurePosixPath], root: Path = ROOT) -> Iterator[str]:
    """The breaches of the rules, a line each; tests have only the limit of modules."""
    paths = list(paths)
    for package, number in sorted(modules(paths).items()):
        if number > MOST_MODULES:
            yield f"{package}: {number} modules, over the limit of {MOST_MODULES}"
    product = [path for path in paths if str(path).startswith(tuple(f"{name}/" for name in PRODUCT))]
    for package in sorted(modules(product)):
        if PurePosixPath(package) / "__init__.py" not in product:
            yield f"{package}: no __init__.py that says what the package is for"
    for path in product:
        if path.stem.startswith(f"{path.parent.name}_"):
            yield f"{path}: repeats the name of its package"
        if path.name == "__init__.py" and not ast.get_docstring(ast.parse((root / path).read_text())):
            yield f"{path}: no docstring that says what the package is for"


def table(now: Counter[str], before: Counter[str] | None) -> Iterator[str]:
    """A line for each package; with `before`, the earlier number in front."""
    for package in sorted({*now, *(before or ())}):
        earlier = f"{before.get(package, 0):4} → " if before is not None else ""
        yield f"{earlier}{now.get(package, 0):4}  {package}"
    for title, tops in (("server and agent", PRODUCT), ("tests", ("tests",))):
        yield f"{title}: " + " → ".join(_totals(counts, tops) for counts in (before, now) if counts is not None)


def _totals(packages: Counter[str], tops: tuple[str, ...]) -> str:
    sizes = [number for package, number in packages.items() if number and package.startswith(tops)]
    return f"{len(sizes)} packages, {sum(sizes)} modules, at most {max(sizes, default=0)} in one"


def main() -> int:
    """Print the table, or the breaches."""
    parser = argparse.ArgumentParser(description="Prints every package with the number of its modules.")
    parser.add_argument("--at", metavar="REVISION", help="compare with this commit")
    parser.add_argument("--check", action="store_true", help="print breaches of the rules only")
    options = parser.parse_args()
    paths = sources()
    if options.check:
        lines = list(breaches(paths))
        print("\n".join(lines), end="\n" if lines else "")
        return 1 if lines else 0
    print("\n".join(table(modules(paths), modules(sources(options.at)) if options.at else None)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
