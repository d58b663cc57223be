"""The agent under the oldest supported Python: all its modules, and its tests that need no server and little time."""

import os
import subprocess
from pathlib import Path

import pytest

from tools.oldest import PYTHON

pytestmark = pytest.mark.skipif(
    not PYTHON.exists(), reason="needs Python 3.9 or 3.10 on the PATH or in pyenv, then make test"
)

ROOT = Path(__file__).parents[2]
SETTINGS = '[pytest]\nmarkers =\n    needs(what, package): "what a test wants of the machine"\n'
PLUGINS = ("-p", "no:cacheprovider", "-p", "tests.support.few_examples", "-p", "tests.agents.support.spools")
FORMATS = Path(__file__).parent / "formats"
WITH_OTHER_LIBRARIES = {"hdrhistogram"}
FILES = (
    *(
        f"formats/{path.parent.name}/{path.name}"
        for path in sorted(FORMATS.glob("*/test_reader.py"))
        if path.parent.name not in WITH_OTHER_LIBRARIES
    ),
    "formats/test_formats.py",
    "formats/test_discovery.py",
    "inventory/test_machines.py",
    "inventory/test_identity.py",
    "inventory/privacy/test_private_names.py",
    "plan/test_model.py",
    "plan/test_language.py",
    "plan/test_vary.py",
    "planning/test_files.py",
    "planning/test_translation.py",
    "toml/test_quantities.py",
    "spool/test_store.py",
    "documents/test_results.py",
    "spool/test_rounds_file.py",
    "inventory/privacy/test_scrub.py",
    "planning/test_shipped.py",
    "server/test_answers.py",
    "measuring/test_estimate.py",
    "plan/test_served.py",
    "diagnosis",
    "commands/test_outputs.py",
    "commands/test_systemd_units.py",
    "spool/test_running_files.py",
)


EACH = """
import importlib, pkgutil, benchagent
for module in pkgutil.walk_packages(benchagent.__path__, "benchagent."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
"""


def test_every_module_can_be_imported() -> None:
    command = [PYTHON, "-B", "-c", EACH]
    done = subprocess.run(command, cwd=ROOT / "agents", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_agents_tests_pass(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text(SETTINGS)
    command = [PYTHON, "-m", "pytest", "-q", "-c", tmp_path / "pytest.ini", "--rootdir", ROOT, "--noconftest"]
    files = [f"tests/agents/{name}" for name in FILES]
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": f"{ROOT}:{ROOT / 'agents'}",
        "PYTHONDONTWRITEBYTECODE": "1",
        "HYPOTHESIS_STORAGE_DIRECTORY": str(tmp_path / "hypothesis"),
    }
    done = subprocess.run(
        [*command, *PLUGINS, *files],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
