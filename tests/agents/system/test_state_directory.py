"""The agent's state directory."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchagent.system.state_directory import state_directory


def test_the_state_directory_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BENCHAGENT_STATE", str(tmp_path))
    assert state_directory() == tmp_path
    monkeypatch.delenv("BENCHAGENT_STATE")
    assert state_directory().name == "benchagent"
