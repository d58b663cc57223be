#!/usr/bin/env python3
"""Runs all checks, even if one fails, and ends with a list of failed checks. `make check` calls it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = ROOT / ".venv" / "bin"
MANAGE = (BIN / "python", "manage.py")
# import-linter finds the agent through Python's path. The checks have a database of their own.
ENVIRONMENT = {**os.environ, "PYTHONPATH": "agents", "BENCHDB_VAR": str(ROOT / "var" / "check")}


@dataclass(frozen=True)
class Check:
    """A command that succeeds if there is no fault."""

    name: str
    command: Sequence[str | Path]
    # A command that the setup does not install, and the name of its system package.
    tool: str = ""


@dataclass(frozen=True)
class CheckOutcome:
    """How a check ended."""

    check: Check
    state: str  # "ok", "failed" or "skipped"
    seconds: float
    output: str


def checks() -> list[Check]:
    """All checks, the slow ones first, because two run at a time."""
    templates = sorted((ROOT / "benchdb").glob("*/templates/**/*.html"))
    return [
        Check("mypy", [BIN / "mypy"]),
        Check("tsc and eslint", ["frontend/npm", "run", "--silent", "check"]),
        Check("engine", ["make", "--no-print-directory", "-C", "agents/engine", "check"], tool="cppcheck"),
        # With a database, because Django also compares the migrations with those that were applied.
        Check("migrations", [*MANAGE, "services", "--exec", *MANAGE, "makemigrations", "--check", "--dry-run"]),
        # As for a public site, because a site without TLS needs fewer settings.
        Check("django", ["env", "BENCHDB_TLS=1", *MANAGE, "check", "--deploy", "--fail-level", "WARNING"]),
        Check("import rules", [BIN / "lint-imports", "--no-logo"]),
        Check("ruff", [BIN / "ruff", "check"]),
        Check("ruff format", [BIN / "ruff", "format", "--check"]),
        Check("Python 3.9", [BIN / "vermin", "-t=3.9-", "--violations", "--no-tips", "--quiet", "agents/benchagent"]),
        Check("djade", [BIN / "djade", "--check", *templates]),
        Check("packages", [BIN / "python", "tools/layout.py", "--check"]),
        Check("file length", [BIN / "python", "tools/file_length.py"]),
        Check("size", [BIN / "python", "tools/size.py", "--check"]),
    ]


def run(check: Check) -> CheckOutcome:
    """Run one check."""
    if check.tool and shutil.which(check.tool) is None:
        state = "failed" if os.environ.get("CI") == "true" else "skipped"
        return CheckOutcome(check, state, 0, f"not installed: apt-get install {check.tool}")
    started = time.monotonic()
    done = subprocess.run(
        check.command, cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    return CheckOutcome(check, "failed" if done.returncode else "ok", time.monotonic() - started, done.stdout.strip())


def report(outcomes: Iterable[CheckOutcome]) -> list[str]:
    """Print each outcome as it comes. Returns the names of the checks that failed."""
    failed = []
    for outcome in outcomes:
        print(f"check: {outcome.state:7} {outcome.check.name} ({outcome.seconds:.1f} s)", flush=True)
        # These two have output even if they succeed.
        if outcome.output and (outcome.state != "ok" or outcome.check.name in ("file length", "size")):
            print("\n".join(f"    {line}" for line in outcome.output.splitlines()), flush=True)
        if outcome.state == "failed":
            failed.append(outcome.check.name)
    return failed


def main() -> int:
    """Run all checks, two at a time."""
    with ThreadPoolExecutor(2) as pool:
        failed = report(pool.map(run, checks()))
    print(f"check: {'failed: ' + ', '.join(failed) if failed else 'all is well'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
