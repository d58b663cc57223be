#!/usr/bin/env python3
"""Makes requirements.txt and requirements/*.txt from requirements/*.in: all packages with hashes. `make lock` calls it.

Packages that no `.in` file names keep their version; UPGRADE=1 takes the newest ones. The files are for all systems and
Python versions that BenchDB supports.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / ".venv" / "lock"
UV = "uv==0.13.9"
# Each source, its locked file, the oldest Python that installs it, and a file whose versions it shares.
FILES = (
    ("requirements/setup.in", "requirements.txt", "3.11", None),
    ("requirements/server.in", "requirements/server.txt", "3.11", "requirements.txt"),
    ("requirements/build.in", "requirements/build.txt", "3.11", "requirements.txt"),
    ("requirements/dev.in", "requirements/dev.txt", "3.11", "requirements.txt"),
    ("requirements/load.in", "requirements/load.txt", "3.11", None),
    ("requirements/s3.in", "requirements/s3.txt", "3.11", "requirements.txt"),
    ("requirements/oldest.in", "requirements/oldest.txt", "3.9", None),
)
OPTIONS = ("--quiet", "--universal", "--generate-hashes", "--no-emit-index-url", "--no-annotate", "--no-strip-extras")


def main() -> int:
    """Install uv into an environment of its own and compile the files."""
    if not (HOME / "bin" / "pip").exists():
        subprocess.run([sys.executable, "-m", "venv", HOME], check=True)
    subprocess.run([HOME / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", UV], check=True)
    environment = {**os.environ, "UV_CUSTOM_COMPILE_COMMAND": "make lock"}
    more = ["--upgrade"] if os.environ.get("UPGRADE") else []
    for source, target, version, constraints in FILES:
        shared = ["-c", constraints] if constraints else []
        command = [HOME / "bin" / "uv", "pip", "compile", *OPTIONS, "--python-version", version, *shared, *more]
        subprocess.run([*command, source, "-o", target], cwd=ROOT, env=environment, check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
