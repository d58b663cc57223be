"""`make compose`: docker-compose.yml started for real, or a reason why not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tools.containers.__main__ import NOT_HERE

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "tools.containers"]


def test_where_there_is_no_engine_the_trial_says_what_is_lacking(tmp_path: Path) -> None:
    done = subprocess.run(COMMAND, cwd=ROOT, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.startswith("compose: not tried: ")) == (NOT_HERE, True), done


def test_the_containers_start_upgrade_and_lose_nothing_when_they_are_killed() -> None:
    done = subprocess.run(COMMAND, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode == NOT_HERE:
        pytest.skip(done.stdout.strip())
    assert done.returncode == 0, done.stdout
