"""The agent under the oldest Python there is: its own tests, as far as they want no server and take no long time."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tools.oldest import PYTHON

ROOT = Path(__file__).parents[2]
SETTINGS = '[pytest]\nmarkers =\n    needs(what, package): "what a test wants of the machine"\n'
FORMATS, CORPUS = Path(__file__).parent / "formats", "test_corpus"
FILES = (
    *(
        f"formats/{path.parent.name}/{path.name}"
        for path in sorted(FORMATS.glob("*/test_*.py"))
        if "corpus" not in path.name
    ),
    "formats/test_formats.py",
    "formats/test_discovery.py",
    *("inventory/test_machines.py", "inventory/test_identity.py", "inventory/test_private.py"),
    *("test_plan.py", "test_plan_language.py", "test_plan_vary.py", "test_plan_files.py", "test_translation.py"),
    *("test_quantities.py", "test_spool.py", "test_merge.py", "test_shelf.py", "test_scrub.py", "test_shipped.py"),
    *("test_answers.py", "test_estimate.py", "test_served.py", "diagnosis", "test_units.py", "test_running.py"),
)


@pytest.mark.skipif(not PYTHON.exists(), reason="needs Python 3.9 or 3.10 on the PATH or in pyenv, then make test")
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
        [*command, "-p", "no:cacheprovider", "-p", "tests.support.few_examples", *files],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
