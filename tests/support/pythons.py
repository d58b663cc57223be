"""The Python interpreters of this machine that the agent is to run under."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

OLDEST = (3, 9)  # what agents/pyproject.toml promises
SHOW = "import sys; print('%d.%d' % sys.version_info[:2])"


@cache
def python(version: tuple[int, int]) -> str | None:
    """An interpreter of this version, from the PATH or from pyenv; None where there is none."""
    return next((path for path in _candidates(version) if _is(path, version)), None)


def oldest() -> str:
    """The oldest one from 3.9 on; the one that runs the tests is there in any case."""
    versions = ((OLDEST[0], minor) for minor in range(OLDEST[1], sys.version_info.minor))
    return next((path for version in versions if (path := python(version))), sys.executable)


def _candidates(version: tuple[int, int]) -> Iterator[str]:
    name = "{}.{}".format(*version)
    if found := shutil.which(f"python{name}"):
        yield found
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from (str(path) for path in sorted(root.glob(f"versions/{name}.*/bin/python")))


def _is(path: str, version: tuple[int, int]) -> bool:
    """pyenv's shims are there for versions that are not in use, and fail."""
    shown = subprocess.run([path, "-c", SHOW], capture_output=True, text=True, check=False)
    return shown.stdout.strip() == "{}.{}".format(*version)
