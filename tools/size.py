#!/usr/bin/env python3
"""Prints the size of every package; `make check` runs it with `--check`, which fails above the ceilings.

    tools/size.py            a line for each package, and the totals beside their ceilings
    tools/size.py --check    only the totals; exit code 1 if one of them is above its ceiling

Python is counted in statements (`ast.stmt`, without migrations, which Django writes), so that neither formatting nor
docstrings' length matter; C, HTML, TypeScript and SCSS in lines that are not blank; docs in words. A record class is a
dataclass, a NamedTuple, a TypedDict or a class whose `__init__` only assigns. Each word `Any` counts, which turns the
type checker off: it is left for edges, as JSON that was just read and arguments of frameworks. The ceilings are in
`pyproject.toml` (`[tool.benchdb.size]`) and only go down.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent
# What a suffix is counted as; Python's two kinds follow from the folder, see `_python`.
LINES = {".c": "c", ".h": "c", ".html": "html", ".ts": "typescript", ".mjs": "typescript", ".scss": "scss"}
COLUMNS = ("statements", "test_statements", "records", "any", "c", "html", "typescript", "scss", "doc_words")
# Outputs of tools that tests read, and pages that programs wrote.
GENERATED = {"migrations", "golden", "outputs", "trees", "expected"}
RECORD_BASES = {"NamedTuple", "TypedDict"}
Size = Counter[str]


def files(root: Path) -> list[PurePosixPath]:
    """The files of the checkout that git has or would take. Raises CalledProcessError."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout.splitlines()
    paths = (PurePosixPath(line) for line in sorted(set(listed)))
    return [path for path in paths if not GENERATED.intersection(path.parts) and (root / path).is_file()]


def sizes(root: Path) -> dict[str, Size]:
    """The size of every package, by its folder: two levels of `benchdb`, `agents`, `frontend` and `tests`, else one."""
    found: dict[str, Size] = defaultdict(Counter)
    for path in files(root):
        found[package_of(path)].update(size_of(path, root))
    return {package: size for package, size in sorted(found.items()) if size}


def package_of(path: PurePosixPath) -> str:
    """The package that a file counts for; three levels deep in the agent."""
    depth = 3 if path.parts[:2] == ("agents", "benchagent") else 2
    return (
        "/".join(path.parent.parts[: depth if path.parts[0] in ("benchdb", "agents", "frontend", "tests") else 1])
        or "."
    )


def size_of(path: PurePosixPath, root: Path) -> Size:
    """What one file adds to its package; nothing for a kind that is not counted."""
    if path.suffix == ".py":
        return _python(path, (root / path).read_text())
    if path.suffix in LINES:
        text = (root / path).read_text()
        return Counter({LINES[path.suffix]: sum(1 for line in text.splitlines() if line.strip())})
    if path.suffix == ".md":
        return Counter({"doc_words": len((root / path).read_text().split())})
    return Counter()


def _python(path: PurePosixPath, text: str) -> Size:
    """Statements, and of the product also record classes and the word `Any`."""
    nodes = list(ast.walk(ast.parse(text)))
    statements = sum(isinstance(node, ast.stmt) for node in nodes)
    if path.parts[0] in ("tests", "tools"):
        return Counter({"test_statements": statements})
    words = len(re.findall(r"\bAny\b", text))
    return Counter({"statements": statements, "records": sum(map(is_record, nodes)), "any": words})


def is_record(node: ast.AST) -> bool:
    """Whether a node of the syntax tree is a class that only carries fields."""
    if not isinstance(node, ast.ClassDef):
        return False
    decorators = {_name(each) for each in node.decorator_list}
    return "dataclass" in decorators or bool(RECORD_BASES & set(map(_name, node.bases))) or _only_assigns(node)


def _name(node: ast.expr) -> str:
    """The last name of `dataclass`, `dataclasses.dataclass` or `dataclass(frozen=True)`."""
    if isinstance(node, ast.Call):
        return _name(node.func)
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _only_assigns(node: ast.ClassDef) -> bool:
    """Whether the class has an `__init__` that does nothing but assign, and no other method."""
    methods = [each for each in node.body if isinstance(each, ast.FunctionDef)]
    if [method.name for method in methods] != ["__init__"]:
        return False
    return all(isinstance(each, (ast.Assign, ast.AnnAssign)) or _is_text(each) for each in methods[0].body)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def ceilings(root: Path) -> dict[str, int]:
    """The largest total that `make check` accepts of each column."""
    configured = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["benchdb"]["size"]
    return {column: int(configured[column]) for column in COLUMNS}


def table(found: Mapping[str, Size]) -> Iterator[str]:
    """The lines of the packages, with blanks for zeros."""
    yield "".join(f"{column:>16}" for column in COLUMNS) + "  package"
    for package, size in found.items():
        yield "".join(f"{size[column] or '':>16}" for column in COLUMNS) + f"  {package}"


def verdicts(total: Size, most: Mapping[str, int]) -> Iterator[tuple[str, bool]]:
    """For each column its total beside its ceiling as a line, and whether it is above."""
    for column in COLUMNS:
        above = total[column] > most[column]
        yield f"{column}: {total[column]}, at most {most[column]}{', which is too much' if above else ''}", above


def main() -> int:
    """Print the sizes; 1 if one is above its ceiling."""
    found = sizes(ROOT)
    lines = list(verdicts(sum(found.values(), Counter()), ceilings(ROOT)))
    if "--check" not in sys.argv[1:]:
        print("\n".join(table(found)))
    print("\n".join(line for line, _ in lines))
    return 1 if any(above for _, above in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
