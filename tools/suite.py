#!/usr/bin/env python3
"""Runs checks, front end tests and Python tests, all of them even if one fails. `make test` calls it.

The Python tests are last, so that their list of skipped tests with reasons is at the end. With `--coverage`
(`make coverage`) they also report untested lines of Python, and take half as long again.
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
    "Python tests": [PYTHON, "-m", "pytest", "-n", "2", "--dist", "loadfile", "--durations", "20"],
}
COVERAGE = ["--cov", "--cov-report", "term"]
# Tests start hundreds of processes. Without compiled files each of them would compile every module again.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def main() -> int:
    """Run the steps."""
    more = {"Python tests": COVERAGE} if "--coverage" in sys.argv[1:] else {}
    failed = []
    for name, command in STEPS.items():
        print(f"\ntest: {name}", flush=True)
        if subprocess.run([*command, *more.get(name, [])], cwd=ROOT, env=ENVIRONMENT).returncode != 0:
            failed.append(name)
    print(f"\ntest: {'failed: ' + ', '.join(failed) if failed else 'all passed'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
