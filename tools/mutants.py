#!/usr/bin/env python3
"""Changes the product in one place after another, and tells which tier of the tests finds each change.

    tools/mutants.py SEED              thirty changes drawn by the seed, five in each area
    tools/mutants.py SEED --list       only names them
    tools/mutants.py SEED --only 3 7   only these of them

Each change is made in a worktree of the present commit. First run the tests of the same area, then all others of
`make test`, until one fails; if none does, those of the slow tier. A change that only the slow tier finds is a fault of
the division into tiers. One that nothing finds needs a look: it changes nothing, or a test is missing. Needs `make
setup-dev`, and hours for changes that survive.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EACH = 5  # changes in an area
SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


@dataclass(frozen=True)
class Area:
    """An area of the product: where its code is, and where the tests of this code are."""

    sources: tuple[str, ...]
    tests: tuple[str, ...]
    only: str = ""  # if not empty, only lines with this word are changed


AREAS = {
    "stats": Area(("benchdb/stats",), ("tests/stats",)),
    "ingest": Area(("benchdb/ingest",), ("tests/ingest", "tests/api")),
    "access": Area(("benchdb",), ("tests/access", "tests/runs", "tests/api", "tests/compare"), only="visible_to("),
    "exports": Area(("benchdb/exports",), ("tests/exports",)),
    "agent": Area(("agents/benchagent",), ("tests/agents",)),
    "pages": Area(
        ("benchdb/web", "benchdb/runs/page", "benchdb/compare/table"), ("tests/web", "tests/runs", "tests/compare")
    ),
}


@dataclass(frozen=True)
class Mutant:
    """One change: what is on these lines of a file, and what would be there."""

    area: str
    path: str
    line: int
    start: int
    end: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.area}: {self.path}:{self.line}: {self.old} → {self.new}"


def mutants(seed: int) -> list[Mutant]:
    """The changes that a seed draws."""
    draw = random.Random(seed)
    return [each for name in AREAS for each in draw.sample(list(possible(name)), EACH)]


def possible(name: str) -> Iterator[Mutant]:
    """Every change of an area."""
    for folder in AREAS[name].sources:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "migrations" not in path.parts:
                yield from _in_file(name, path)


def _in_file(name: str, path: Path) -> Iterator[Mutant]:
    text = path.read_text()
    lines = text.encode().splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.expr):
            continue
        if AREAS[name].only not in lines[node.lineno - 1].decode():
            continue
        for changed in _changes(node, bool(AREAS[name].only)):
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
            old = text.encode()[start:end].decode()
            yield Mutant(name, str(path.relative_to(ROOT)), node.lineno, start, end, old, f"({ast.unparse(changed)})")


def _changes(node: ast.expr, access: bool) -> Iterator[ast.expr]:
    """What a node could become: without its check of visibility, or with another sign, bound, unit or order."""
    if access:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "visible_to":
            yield ast.Call(ast.Attribute(node.func.value, "all"), [], [])
        return
    changed = copy.deepcopy(node)
    if isinstance(changed, ast.Compare) and type(changed.ops[0]) in SWAPPED:
        changed.ops[0] = SWAPPED[type(changed.ops[0])]()  # type: ignore[call-overload]
        yield changed
    elif isinstance(changed, (ast.BinOp, ast.BoolOp)) and type(changed.op) in SWAPPED:
        if not any(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in ast.walk(changed)):
            changed.op = SWAPPED[type(changed.op)]()  # type: ignore[assignment]
            yield changed
    elif isinstance(changed, ast.Constant) and type(changed.value) in (int, float) and changed.value not in (0, 1):
        changed.value = 1000 if changed.value == 1024 else changed.value * 2
        yield changed
    elif isinstance(changed, ast.Tuple) and [type(each) in (ast.Attribute, ast.Subscript) for each in changed.elts] == [
        True,
        True,
    ]:
        changed.elts.reverse()
        yield changed


def found_by(mutant: Mutant, tree: Path) -> str:
    """Make the change in a worktree, run the tests until one fails, and take the change back. Returns who found it."""
    file = tree / mutant.path
    original = file.read_bytes()
    file.write_bytes(original[: mutant.start] + mutant.new.encode() + original[mutant.end :])
    try:
        own = AREAS[mutant.area].tests
        others = [f"--ignore={folder}" for folder in own]
        for tier, arguments in (("fast", own), ("fast", ("tests", *others)), ("slow", ("tests",))):
            if test := _failed(tree, ["--tier", tier, *arguments]):
                return f"{tier} tier: {test}"
    finally:
        file.write_bytes(original)
    return "nobody"


def _failed(tree: Path, arguments: list[str]) -> str:
    """The first test that fails; empty if all pass."""
    command = [".venv/bin/python", "-m", "pytest", "-q", "-x", "-n", "2", "--dist", "loadfile", *arguments]
    done = subprocess.run(command, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode in (0, 5):  # 5: this tier has no such test
        return ""
    lines = done.stdout.splitlines()
    failed = [line.split()[1] for line in lines if line.startswith(("FAILED ", "ERROR "))]
    return failed[0] if failed else f"pytest ended with {done.returncode}: {' '.join(lines[-3:])}"


def main() -> int:
    """Print who finds each change. Returns 1 if only the slow tier finds one of them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("seed", type=int)
    parser.add_argument("--list", action="store_true", help="only name the changes")
    parser.add_argument("--only", type=int, nargs="+", metavar="N", help="only these, counted from 1")
    options = parser.parse_args()
    chosen = [(n, each) for n, each in enumerate(mutants(options.seed), 1) if n in (options.only or [n])]
    if options.list:
        print("\n".join(f"{n} {each}" for n, each in chosen))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "main"
        subprocess.run(["git", "worktree", "add", "-q", "--detach", tree], cwd=ROOT, check=True)
        try:
            for made in (".venv", "frontend/node_modules", "frontend/dist"):
                os.symlink(ROOT / made, tree / made)
            found = []
            for n, each in chosen:
                found.append(found_by(each, tree))
                print(f"{n} {each}\n    found by {found[-1]}", flush=True)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", tree], cwd=ROOT, check=True)
    return 1 if any(each.startswith("slow") for each in found) else 0


if __name__ == "__main__":
    sys.exit(main())
