"""Rounds go to a file and come back the same; where the disk refuses they stay in memory."""

from __future__ import annotations

import os
from datetime import datetime, timezone
from pathlib import Path

import pytest

from benchagent.formats import Parsed, Result
from benchagent.records import RawOutput, Reading, Round
from benchagent.shelf import Rounds, Shelf


def measured(number: int, text: str = "raw\n") -> Round:
    result = Result("write", "throughput", "B/s", (1e9 / (number + 1),), 1024, 64, params={"fsync": True}, lines=(1,))
    parsed = Parsed("iozone", "3.489", None, (result, result), ("line 2 was not read",), "1")
    return Round(
        started_at=datetime(2026, 11, 21, 12, number, tzinfo=timezone.utc),
        elapsed=number / 3,
        position=number,
        readings=(Reading("round-1/iozone.txt", parsed, frozenset({0})),),
        error="No space left" if number == 1 else None,
        evidence={"user_seconds": 0.25},
        artifacts=(RawOutput("round-1/iozone.txt", "text/plain", text),),
    )


def test_rounds_come_back_the_same_and_in_order(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    one, other = Rounds(shelf), Rounds(shelf)
    for number in range(5):
        one.append(measured(number, "é" * 10_000 * number))
        other.append(measured(number + 40))
    assert list(one) == [measured(number, "é" * 10_000 * number) for number in range(5)]
    assert (len(one), bool(one), one[-1], one[1:3]) == (5, True, one[4], [one[1], one[2]])
    assert [each.position for each in other] == [number + 40 for number in range(5)]
    assert not Rounds(shelf)


def test_nothing_has_a_name_that_a_killed_agent_would_leave(tmp_path: Path) -> None:
    rounds = Rounds(Shelf(tmp_path))
    rounds.append(measured(0))
    assert os.listdir(tmp_path) == []


def test_where_the_disk_refuses_they_stay_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = Shelf(tmp_path / "none")
    rounds = Rounds(shelf)
    rounds.append(measured(0))
    (tmp_path / "none").mkdir()
    rounds.append(measured(1))

    def full(*_args: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "pwrite", full)
        rounds.append(measured(2))
    rounds.append(measured(3))
    assert list(rounds) == [measured(number) for number in range(4)]
