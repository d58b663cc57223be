"""The parts of `make test-faults`."""

from __future__ import annotations

from pathlib import Path

import tools.faults as faults
from benchdb.embedded.config import PROJECT

OF_OTHER_TARGETS: set[str] = set()


def test_every_trial_is_in_a_part_and_every_part_is_there() -> None:
    named = {path for part in faults.PARTS for path in part.paths}
    trials = {str(path.relative_to(PROJECT)) for path in Path(PROJECT, "tests").rglob("trial_*.py")}
    assert trials - named == OF_OTHER_TARGETS
    assert [path for path in named if not Path(PROJECT, path).exists()] == []


def test_the_table_says_what_each_part_did() -> None:
    outcomes = [
        faults.PartOutcome("storm", 1, 0, 0, 90.0, ["STRIKES 60", "300 runs"]),
        faults.PartOutcome("full disks", 4, 1, 2, 30.0, []),
    ]
    assert faults.table(outcomes).splitlines()[2:] == [
        "| storm | 1 passed | 1.5 | STRIKES 60; 300 runs |",
        "| full disks | 4 passed, 1 failed, 2 skipped | 0.5 |  |",
    ]
