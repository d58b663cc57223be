"""A spool for a test, also for the tests that run without conftest files."""

from pathlib import Path

import pytest

from benchagent.spool.store import Spool


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    """An empty spool."""
    return Spool(tmp_path / "spool")
