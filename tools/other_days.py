#!/usr/bin/env python3
"""Runs the fast tests as if today were another day, for each of six. `make test-days` calls it (ONLY=word for some).

Python, PostgreSQL, the broker and the agent get the other time of day from a library that is loaded before the C
library (tests/support/shifted_clock.c). Chromium keeps today, because it does not accept such a library, and refuses
cookies of another year. So `tests/browser` is left out, as are the tests that shift the clock themselves, and the one
that compares the times of files, which the kernel sets, with the clock.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The beginning of each session, and the time zone of its machine.
DAYS = (
    ("2026-12-01T00:00:05+00:00", "UTC"),  # the first of a month
    ("2027-01-31T12:00:00+00:00", "UTC"),  # the last of a month, and another year
    ("2028-02-29T10:00:00+00:00", "UTC"),  # a leap day
    ("2027-03-14T06:58:00+00:00", "America/New_York"),  # summer time begins two minutes later
    ("2028-10-29T00:58:00+00:00", "Europe/Berlin"),  # and ends
    ("2027-06-30T23:59:50+00:00", "UTC"),  # midnight comes at once
)
OTHER_CLOCKS = (
    "tests/agents/measuring/test_clock_jumps.py",
    "tests/browser",
    "tests/agents/tools/fio/test_runs.py::test_tests_and_job_files_on_a_loop_device",
)


def main() -> int:
    """Run the tests for each day. Returns 1 if some fail."""
    word, failed = os.environ.get("ONLY", ""), []
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)  # noqa: S103  PostgreSQL reads it as another user
        library = Path(folder) / "shifted_clock.so"
        source = ROOT / "tests" / "support" / "shifted_clock.c"
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
        for day, zone in (each for each in DAYS if word in " ".join(each)):
            print(f"\ntest: as if it were {day} in {zone}", flush=True)
            if run(library, datetime.fromisoformat(day), zone, sys.argv[1:]) != 0:
                failed.append(day)
    print(f"\ntest: {'failed on ' + ', '.join(failed) if failed else 'passed on all days'}")
    return 1 if failed else 0


def run(library: Path, begin: datetime, zone: str, arguments: list[str]) -> int:
    """Run the tests, or those of the arguments, from `begin` on. Returns pytest's exit code."""
    shift = int((begin - datetime.now(UTC)).total_seconds())
    environment = {**os.environ, "LD_PRELOAD": str(library), "SHIFTED_SECONDS": str(shift), "TZ": zone}
    command = [".venv/bin/python", "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"]
    without = [f"--deselect={path}" for path in OTHER_CLOCKS]
    tests = arguments or ["--tier", "fast", "tests"]
    return subprocess.run([*command, *without, *tests], cwd=ROOT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
