"""A fact that is declared in one place is in filters, rows, guard, forms, files and pages (tests/facts/invented.py)."""

import os
import subprocess
import sys
from pathlib import Path


def test_one_declaration_is_enough(tmp_path: Path) -> None:
    # A process of its own, because menus, forms and addresses are made from the registry when modules are imported.
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.facts.invented", "-p", "no:cacheprovider"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("BENCHDB_", "PYTEST_"))}

    done = subprocess.run(
        [*command, f"--basetemp={tmp_path}/temporary", "tests/facts/invented_fact.py"],
        cwd=Path(__file__).parents[2],
        env=environment | {"PYTHONPATH": ".:agents"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
