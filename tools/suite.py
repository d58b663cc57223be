#!/usr/bin/env python3
"""Runs checks, front end tests and Python tests, all of them even if one fails. `make test` calls it.

The Python tests are last, so that their list of skipped tests with reasons is at the end. They are those of the fast
tier, see tests/tiers.toml; with `--all` (`make test-all`) the slow ones too. With `--coverage` (`make coverage`) all
tests also report untested lines of Python, and take half as long again.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = ROOT / ".venv" / "bin" / "python"

STEPS: dict[str, list[str | Path]] = {
    "checks": [PYTHON, "tools/check.py"],
    "front end tests": ["frontend/npm", "test", "--silent"],
    # Two processes; the tests of a file run in one process, because some share services that take a second to start.
    "Python tests": [
        PYTHON,
        "-m",
        "pytest",
        "-n",
        "2",
        "--dist",
        "loadfile",
        "--no-loadscope-reorder",
        "--durations",
        "20",
    ],
}
FAST = ["--tier", "fast"]
COVERAGE = ["--cov", "--cov-report", "term"]
# Tests start hundreds of processes. Without compiled files each of them would compile every module again, and with
# threads for linear algebra the two processes of the tests would wait for each other.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | {
    "OPENBLAS_NUM_THREADS": "1"
}


def main() -> int:
    """Run the steps."""
    coverage = "--coverage" in sys.argv[1:]
    which = [] if coverage or "--all" in sys.argv[1:] else FAST
    more = {"Python tests": [*which, *(COVERAGE if coverage else [])]}
    failed = []
    for name, command in STEPS.items():
        print(f"\ntest: {name}", flush=True)
        if subprocess.run([*command, *more.get(name, [])], cwd=ROOT, env=ENVIRONMENT).returncode != 0:
            failed.append(name)
    print(f"\ntest: {'failed: ' + ', '.join(failed) if failed else 'all passed'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
