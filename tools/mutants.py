#!/usr/bin/env python3
"""Changes the product in one place after another, and tells which tier of the tests finds each change.

    tools/mutants.py SEED              thirty changes drawn by the seed, five in each area
    tools/mutants.py SEED --list       only names them
    tools/mutants.py SEED --only 3 7   only these of them

Each change is made in a worktree of the present commit, and the fast tests of its package and area run until one fails.
The changes that survive this are made together, the rest of the fast tier runs once, and each file of tests that fails
then runs with each change alone; again without the changes found, until nothing fails. What is left goes through the
slow tier in the same way. A change that only the slow tier finds is a fault of the division into tiers. One that nobody
finds needs a look: it changes nothing, or a test is missing. Needs `make setup-dev`, and an hour or two.
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
from contextlib import contextmanager
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

    def overlaps(self, other: Mutant) -> bool:
        """Whether both change the same place."""
        return self.path == other.path and self.start < other.end and other.start < self.end

    def __str__(self) -> str:
        return f"{self.area}: {self.path}:{self.line}: {self.old} → {self.new}"


def mutants(seed: int) -> list[Mutant]:
    """The changes that a seed draws, no two of them in one place."""
    draw = random.Random(seed)
    drawn: list[Mutant] = []
    for name in AREAS:
        every = list(possible(name))
        chosen = (each for each in draw.sample(every, len(every)) if not any(map(each.overlaps, drawn)))
        for _ in range(EACH):
            drawn.append(next(chosen))
    return drawn


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


@contextmanager
def changed(tree: Path, chosen: list[Mutant]) -> Iterator[None]:
    """Make these changes in a worktree, and take them back; no two are in one place."""
    originals = {each.path: (tree / each.path).read_bytes() for each in chosen}
    texts = dict(originals)
    for each in sorted(chosen, key=lambda each: -each.start):
        texts[each.path] = texts[each.path][: each.start] + each.new.encode() + texts[each.path][each.end :]
    try:
        for path, text in texts.items():
            (tree / path).write_bytes(text)
        yield
    finally:
        for path, text in originals.items():
            (tree / path).write_bytes(text)


def failing(tree: Path, tier: str, *arguments: str) -> list[str]:
    """The tests of a tier that fail; only "tests" if pytest itself fails."""
    command = [".venv/bin/python", "-m", "pytest", "-q", "-n2", "--dist=loadfile", "--tier", tier, *arguments]
    done = subprocess.run(command, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    lines = done.stdout.splitlines()
    tests = [line.split()[1] for line in lines if line.startswith(("FAILED tests/", "ERROR tests/"))]
    if done.returncode in (0, 5) or tests:  # 5: this tier has no such test
        return tests
    print(f"    pytest ended with {done.returncode}: {' '.join(lines[-3:])}", flush=True)
    return ["tests"]


def found_alone(mutant: Mutant, tree: Path) -> str:
    """The fast test of its own package or area that finds a change; empty if there is none."""
    package = Path(mutant.path.removeprefix("benchdb/").removeprefix("agents/benchagent/")).parent
    near = ROOT / "tests" / ("agents" if mutant.area == "agent" else ".") / package
    with changed(tree, [mutant]):
        for tests in ([str(near.relative_to(ROOT))] if near.is_dir() else [], AREAS[mutant.area].tests):
            if tests and (failed := failing(tree, "fast", "-x", *tests)):
                return failed[0]
    return ""


def found_together(chosen: list[Mutant], tree: Path, tier: str) -> dict[Mutant, str]:
    """The test of a tier that finds each of these changes, for those that are found."""
    found: dict[Mutant, str] = {}
    while left := [each for each in chosen if each not in found]:
        with changed(tree, left):
            files = {test.partition("::")[0] for test in failing(tree, tier, "tests")}
        before = len(found)
        for mutant in left:
            with changed(tree, [mutant]):
                if files and (failed := failing(tree, tier, "-x", *files)):
                    found[mutant] = failed[0]
        if len(found) == before:
            if files:
                print(f"    {', '.join(files)} fail with several changes, and with none of them alone", flush=True)
            break
    return found


def tried(chosen: list[tuple[int, Mutant]], tree: Path) -> int:
    """Print who finds each change. Returns how many only the slow tier finds."""
    left = []
    for n, mutant in chosen:
        test = found_alone(mutant, tree)
        print(f"{n} {mutant}\n    {'found by fast tier: ' + test if test else 'not found in its area'}", flush=True)
        left += [] if test else [mutant]
    for tier in ("fast", "slow"):
        found = found_together(left, tree, tier)
        left = [each for each in left if each not in found]
        for mutant, test in found.items():
            print(f"{mutant}\n    found by {tier} tier: {test}", flush=True)
    for mutant in left:
        print(f"{mutant}\n    found by nobody", flush=True)
    return len(found)


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
            only_slow = tried(chosen, tree)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", tree], cwd=ROOT, check=True)
    return 1 if only_slow else 0


if __name__ == "__main__":
    sys.exit(main())
