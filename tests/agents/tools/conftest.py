"""Fixtures for tests that run tools."""

import tarfile
from pathlib import Path

import pytest

from tests.agents.tools.works import MODEL, PROFILE

PROFILES_OF_AGE = Path(__file__).parents[3] / "agents" / "engine" / "profiles"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A directory with the files that the workloads name."""
    (tmp_path / "mix").write_text(PROFILE)
    (tmp_path / "wml").write_text(MODEL)
    for name in ("size", "age", "directory"):
        (tmp_path / f"{name}.txt").write_text((PROFILES_OF_AGE / "mail" / f"{name}.txt").read_text())
    with tarfile.open(tmp_path / "archive.tar", "w") as archive:
        archive.add(tmp_path / "mix", "a/mix")
    return tmp_path
