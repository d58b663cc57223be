"""The agent's package for pip and pipx: its contents, and that it works with nothing else installed."""

import json
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from benchagent import __version__
from tests.agents.tools.fsload.test_build import AGENTS, COMPILER, script

BUILD = "import sys; from setuptools import build_meta; print(getattr(build_meta, sys.argv[1])(sys.argv[2]))"


def build(hook: str, source: Path, folder: Path) -> Path:
    """Run a build hook of setuptools (PEP 517) in `source`, as pip does. Returns the new file in `folder`."""
    command = [sys.executable, "-c", BUILD, hook, str(folder)]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / done.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source archive, so that the archive is tested, too."""
    folder = tmp_path_factory.mktemp("package")
    shutil.copytree(AGENTS, folder / "agents", ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
    archive = build("build_sdist", folder / "agents", folder)
    unpacked = folder / "unpacked"
    unpacked.mkdir()
    subprocess.run(["tar", "-xzf", archive, "-C", unpacked], check=True)  # Python's tarfile differs from 3.11 to 3.14
    [source] = unpacked.iterdir()
    return build("build_wheel", source, folder)


def test_it_holds_every_module_the_engine_and_the_plans(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    engine, plans = AGENTS / "engine", AGENTS / "plans"
    modules = {path.relative_to(AGENTS).as_posix() for path in (AGENTS / "benchagent").rglob("*.py")}
    sources = {f"benchagent/fsload/{path.relative_to(engine).as_posix()}" for path in engine.glob("src/**/*.[ch]")}
    shipped = {f"benchagent/plans/{path.relative_to(plans).as_posix()}" for path in plans.rglob("*") if path.is_file()}
    assert names == modules | sources | shipped


def test_it_works_where_nothing_else_is_installed(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=False)
    python = tmp_path / "venv" / "bin" / "python"
    install = ["-m", "pip", "--python", python, "install", "--quiet", "--no-index", "--no-deps", wheel]
    subprocess.run([sys.executable, *install], check=True)
    script(tmp_path / "bin" / "cc", COMPILER.format(folder=tmp_path))
    (tmp_path / "go").touch()
    environment = {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "BENCHAGENT_STATE": str(tmp_path / "state")}

    def run(*arguments: str) -> str:
        command = [tmp_path / "venv" / "bin" / "benchagent", *arguments]
        done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
        return done.stdout

    assert run("--version") == f"benchagent {__version__}\n"
    findings = {finding["what"]: finding["says"] for finding in json.loads(run("doctor", "--json"))["findings"]}
    assert findings["fsload"].startswith(str(tmp_path / "state" / "engine" / "fsload-"))
