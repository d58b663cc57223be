#!/usr/bin/env python3
"""Sets up the agent's tests under this machine's oldest Python from 3.9 on. `make setup-dev` calls it.

Package registries have no old Python, so an installed one is used, from the PATH or from pyenv. If the oldest Python
runs everything else too, nothing is set up, and the test that needs an older one is skipped with that reason.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / "requirements" / "oldest.txt"
HOME = ROOT / ".venv" / "oldest"
PYTHON = HOME / "bin" / "python"
STAMP = HOME / ".setup-stamp"
OLDEST = (3, 9)  # as in agents/pyproject.toml
SHOW = "import sys; print('%d.%d' % sys.version_info[:2])"


@cache
def python(version: tuple[int, int]) -> str | None:
    """An interpreter of this version; None if there is none."""
    return next((path for path in _candidates(version) if _is(path, version)), None)


def oldest() -> str:
    """The oldest interpreter, possibly the one of this program."""
    versions = ((OLDEST[0], minor) for minor in range(OLDEST[1], sys.version_info.minor))
    return next((path for version in versions if (path := python(version))), sys.executable)


def _candidates(version: tuple[int, int]) -> Iterator[str]:
    name = "{}.{}".format(*version)
    if on_path := shutil.which(f"python{name}"):
        yield on_path
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from (str(path) for path in sorted(root.glob(f"versions/{name}.*/bin/python")))


def _is(path: str, version: tuple[int, int]) -> bool:
    """Whether the interpreter has this version; pyenv's shims for versions that are not in use fail."""
    shown = subprocess.run([path, "-c", SHOW], capture_output=True, text=True, check=False)
    return shown.stdout.strip() == "{}.{}".format(*version)


def main() -> int:
    """Make the environment, unless it is current."""
    interpreter = oldest()
    if interpreter == sys.executable:
        return 0
    fingerprint = f"{interpreter} {hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()}"
    if STAMP.is_file() and STAMP.read_text() == fingerprint:
        return 0
    if HOME.exists():
        shutil.rmtree(HOME)
    install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]
    for command in ([interpreter, "-m", "venv", HOME], [PYTHON, *install, "-r", REQUIREMENTS]):
        process = subprocess.run(command, stdin=subprocess.DEVNULL)
        if process.returncode != 0:
            return process.returncode
    STAMP.write_text(fingerprint)
    return 0


if __name__ == "__main__":
    sys.exit(main())
