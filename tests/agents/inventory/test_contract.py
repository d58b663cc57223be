"""The server accepts what the inventory returns: no unknown field, no empty text, no wrong type."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchagent.inventory import Source, environment, machine, target
from benchdb.ingest.contract.document import Machine
from benchdb.ingest.contract.environment import Environment
from benchdb.ingest.contract.target import StateBefore, Target
from tests.agents.inventory.machines import PLACES
from tests.agents.inventory.trees import recorded


def check(source: Source, path: str) -> None:
    found, before = target(path, source)
    Environment.model_validate_json(json.dumps(environment(source)))
    Target.model_validate_json(json.dumps(found))
    StateBefore.model_validate_json(json.dumps(before))


def texts(value: Any) -> list[str]:
    """Every text in a tree of dictionaries and lists."""
    if isinstance(value, dict):
        return [text for item in value.values() for text in texts(item)]
    if isinstance(value, list):
        return [text for item in value for text in texts(item)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize(("name", "path"), PLACES)
def test_recorded_machines(tmp_path: Path, name: str, path: str) -> None:
    source = recorded(name, tmp_path)
    check(source, path)
    assert "" not in texts([environment(source), *target(path, source)])


def test_this_machine(tmp_path: Path) -> None:
    check(Source(), str(tmp_path))
    Machine.model_validate_json(json.dumps(machine(state=tmp_path)))


def test_a_machine_that_tells_nothing(tmp_path: Path) -> None:
    Environment.model_validate_json(json.dumps(environment(Source(tmp_path))))
