"""The locked files of requirements: every package of the `.in` files in that version, and everything with hashes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools.lock import FILES

ROOT = Path(__file__).resolve().parents[2]
PIN = re.compile(r"(?m)^([\w.-]+)(?:\[[\w, -]+\])?==([^\s;]+)")


def pins(path: str) -> dict[str, str]:
    """The versions that a file pins, by the package's normalized name."""
    found = PIN.findall((ROOT / path).read_text())
    return {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in found}


@pytest.mark.parametrize(("source", "locked"), [(source, locked) for source, locked, *_ in FILES])
def test_a_locked_file_has_the_packages_of_its_source(source: str, locked: str) -> None:
    assert pins(source)
    assert pins(source).items() <= pins(locked).items(), "run make lock"


@pytest.mark.parametrize("locked", [locked for _, locked, *_ in FILES])
def test_every_locked_package_has_hashes(locked: str) -> None:
    text = re.sub(r"(?m)^ *#.*\n", "", (ROOT / locked).read_text()).replace("\\\n", " ")
    without = [line for line in text.splitlines() if not re.search(r"--hash=sha256:[0-9a-f]{64}", line)]
    assert without == []


def test_tests_run_with_the_versions_of_the_server() -> None:
    assert pins("requirements.txt").items() <= pins("requirements/dev.txt").items(), "run make lock"


@pytest.mark.parametrize("place", ["tools/setup.py", "tools/oldest.py", "tools/stand_in.py", "Makefile", "Dockerfile"])
def test_installing_checks_the_hashes(place: str) -> None:
    text = (ROOT / place).read_text()
    assert "--require-hashes" in text
    assert all("--require-hashes" in line for line in text.splitlines() if "install" in line and " -r " in line)
