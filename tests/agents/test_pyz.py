"""The single-file agent of the server, under the oldest supported Python and under this one."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchagent import __version__
from benchdb.web.agent.file import agent_file
from tests.agents.tools.fsload.test_build import AGENTS, COMPILER, script
from tools.oldest import oldest, python

# Imports every module of the agent, and prints those that are neither part of Python nor in the file.
IMPORT_ALL = """
import json, sys, sysconfig, zipfile
archive = sys.argv[1]
sys.path.insert(0, archive)
names = [name for name in zipfile.ZipFile(archive).namelist() if name[:11] == "benchagent/" and name[-3:] == ".py"]
for name in names:
    if not name.endswith("__main__.py"):
        __import__(name[:-3].replace("/", ".").removesuffix(".__init__"))
library = tuple(sysconfig.get_path(key) for key in ("stdlib", "platstdlib"))
def is_foreign(module):
    path = getattr(module, "__file__", None) or ""
    return path and not path.startswith(archive) and (not path.startswith(library) or "site-packages" in path)
print(json.dumps([len(names), sorted(name for name, module in sys.modules.items() if is_foreign(module))]))
"""


@pytest.fixture(params=["oldest", "this"])
def interpreter(request: pytest.FixtureRequest) -> str:
    return oldest() if request.param == "oldest" else sys.executable


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A directory with only the file, and a compiler that makes a replacement for fsload."""
    (tmp_path / "benchagent.pyz").write_bytes(agent_file().data)
    script(tmp_path / "bin" / "cc", COMPILER.format(folder=tmp_path))
    (tmp_path / "go").touch()
    return tmp_path


def run(machine: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run in a machine's directory, without the environment of the tests."""
    environment = {
        "PATH": f"{machine / 'bin'}:{os.environ['PATH']}",
        "BENCHAGENT_STATE": str(machine / "state"),
        "HOME": str(machine),
    }
    return subprocess.run(command, cwd=machine, env=environment, capture_output=True, text=True, check=False)


def test_it_says_its_version(machine: Path, interpreter: str) -> None:
    done = run(machine, interpreter, "benchagent.pyz", "--version")
    assert (done.stdout, done.stderr) == (f"benchagent {__version__}\n", "")


def test_it_is_a_program(machine: Path) -> None:
    (machine / "benchagent.pyz").chmod(0o755)
    assert run(machine, "./benchagent.pyz", "--version").stdout == f"benchagent {__version__}\n"


def test_it_builds_fsload_out_of_itself(machine: Path, interpreter: str) -> None:
    done = run(machine, interpreter, "benchagent.pyz", "doctor", "--json")
    found = {finding["what"]: finding["says"] for finding in json.loads(done.stdout)["findings"]}
    assert found["fsload"].startswith(str(machine / "state" / "engine" / "fsload-"))
    assert "building fsload from its source" in done.stderr


def test_it_imports_nothing_that_is_not_in_it_or_in_python(machine: Path, interpreter: str) -> None:
    done = run(machine, interpreter, "-I", "-S", "-c", IMPORT_ALL, str(machine / "benchagent.pyz"))
    assert done.returncode == 0, done.stderr
    modules, foreign = json.loads(done.stdout)
    assert modules == len(list((AGENTS / "benchagent").rglob("*.py")))
    assert foreign == []


@pytest.mark.parametrize("version", [(2, 7), (3, 6), (3, 8)], ids=str)
def test_an_older_python_is_told_what_is_wanted(machine: Path, version: tuple[int, int]) -> None:
    old = python(version)
    if old is None:
        pytest.skip("needs Python {}.{}".format(*version))
    done = run(machine, old, "benchagent.pyz", "--version")
    assert done.returncode == 1
    assert "benchagent needs Python 3.9 or newer, and this is Python {}.{}.".format(*version) in done.stderr
