"""Rounds in a file are read back unchanged; rounds that the disk refuses stay in memory until it has room."""

from __future__ import annotations

import os
import pickle
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

import pytest

from benchagent.documents.records import CampaignFrame, ParsedOutput, PointRecord, RawOutput, Round, RoundEvidence
from benchagent.documents.run import document
from benchagent.formats import Parsed, Result, parse
from benchagent.plan.model import Plan, Point, Target, Workload
from benchagent.spool.rounds_file import HEADER, Shelf, StoredRounds, beginning, head_of, read
from benchagent.spool.running_files import Running, RunningFile
from benchagent.system.process import run
from tests.agents.formats.texts import golden

PLAN = Plan("test", (Target("t", "directory", "/tmp"),), (Workload("w", "iozone"), Workload("x", "iozone")))


def measured(number: int, text: str = "raw\n") -> Round:
    result = Result("write", "throughput", "B/s", (1e9 / (number + 1),), 1024, 64, params={"fsync": True}, lines=(1,))
    parsed = Parsed("iozone", "3.489", None, (result, result), ("line 2 was not read",), "1")
    return Round(
        started_at=datetime(2026, 11, 21, 12, number, tzinfo=timezone.utc),
        elapsed=number / 3,
        position=number,
        readings=(ParsedOutput("round-1/iozone.txt", parsed, frozenset({0})),),
        error="No space left" if number == 1 else None,
        evidence=RoundEvidence({"user_seconds": 0.25}),
        artifacts=(RawOutput("round-1/iozone.txt", "text/plain", text),),
    )


def frame() -> CampaignFrame:
    return CampaignFrame(PLAN, "campaign", {"name": "m"}, {"kernel": {"release": "6.1"}}, {"disk": "new"}, "private")


class Campaign:
    """A file with two points."""

    def __init__(self, directory: Path, name: str = "campaign") -> None:
        self.refused: list[str] = []
        self.asked: list[int] = []
        self.shelf = Shelf(self.asked.append, self.refused.append)
        points = [Point(PLAN.targets[0], workload) for workload in PLAN.workloads]
        self.one, self.other = [PointRecord(point, StoredRounds(self.shelf, point.id)) for point in points]
        data = beginning(frame(), [self.one, self.other])
        self.file: RunningFile = Running(directory).create(name, data)
        self.shelf.open(self.file)


def test_rounds_come_back_the_same_and_in_order(tmp_path: Path) -> None:
    for shelf in (Shelf(), Campaign(tmp_path).shelf):
        one, other = StoredRounds(shelf, "one"), StoredRounds(shelf, "other")
        for number in range(5):
            one.append(measured(number, "é" * 10_000 * number))
            other.append(measured(number + 40))
        assert list(one) == [measured(number, "é" * 10_000 * number) for number in range(5)]
        assert (len(one), bool(one), one[-1], one[1:3]) == (5, True, one[4], [one[1], one[2]])
        assert [round_.position for round_ in other] == [number + 40 for number in range(5)]
        assert not StoredRounds(shelf, "none")


@pytest.mark.parametrize("name", ["iozone-auto_rw.txt", "bonnie-b200_32k.csv", "fsload-mix.jsonl"])
def test_what_our_tools_print_comes_back_the_same(tmp_path: Path, name: str) -> None:
    parsed = parse(golden(name))
    rounds = StoredRounds(Campaign(tmp_path).shelf, "one")
    rounds.append(replace(measured(0), readings=(ParsedOutput(name, parsed),)))
    assert rounds[0].readings[0].parsed == parsed


def test_another_agent_reads_what_makes_the_same_documents(tmp_path: Path) -> None:
    kept = Campaign(tmp_path)
    kept.one.rounds.append(measured(0))
    kept.one.target, kept.one.state_before = {"file_system": {"type": "ext4"}, "mount": {}}, {"fill": 0.5}
    kept.shelf.note([kept.one])
    kept.one.rounds.append(measured(1))
    kept.one.ended_by = "rounds"
    kept.shelf.note([kept.one])

    saved = read(kept.file)

    assert (saved.torn, saved.frame) == (0, frame())
    one, other = saved.records
    assert (one.run_id, other.run_id, list(other.rounds)) == (kept.one.run_id, kept.other.run_id, [])
    assert document(one.run_id, one, saved.frame) == document(kept.one.run_id, kept.one, frame())


def test_the_head_says_who_wrote_it(tmp_path: Path) -> None:
    head = head_of(Campaign(tmp_path).file)
    assert head is not None
    assert (head["schema"], head["campaign_id"]) == ("benchagent.rounds/2", "campaign")
    for text in (b"", b"{}\n", b"[]\n", b"no line", b"\xff\n"):
        assert head_of(Running(tmp_path).create("other", text)) is None


@pytest.mark.parametrize("cut", [1, HEADER.size, HEADER.size + 10])
def test_a_torn_last_entry_is_dropped_and_counted(tmp_path: Path, cut: int) -> None:
    kept = Campaign(tmp_path)
    kept.one.rounds.append(measured(0))
    whole = kept.file.path.stat().st_size
    kept.one.rounds.append(measured(1))
    size = kept.file.path.stat().st_size
    for end in (whole + cut, size - cut):
        os.truncate(kept.file.path, end)
        saved = read(kept.file)
        assert (list(saved.records[0].rounds), saved.torn) == ([measured(0)], end - whole)


def test_an_entry_that_the_disk_damaged_is_no_entry(tmp_path: Path) -> None:
    """A power cut may leave zeros or old blocks in place of the data."""
    kept = Campaign(tmp_path)
    kept.one.rounds.append(measured(0))
    whole = kept.file.path.stat().st_size
    kept.one.rounds.append(measured(1))
    for damage in (b"\0" * 100, b"\xff" * 100):
        os.pwrite(kept.file.descriptor, damage, whole)
        saved = read(kept.file)
        assert (list(saved.records[0].rounds), saved.torn) == ([measured(0)], kept.file.path.stat().st_size - whole)


def test_what_the_disk_refuses_stays_in_memory_and_is_written_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Campaign(tmp_path)
    kept.one.rounds.append(measured(0))

    def full(descriptor: int, _data: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", full)
        kept.one.rounds.append(measured(1))
        kept.other.rounds.append(measured(2))
    assert kept.refused == ["No space left on device"]
    assert (list(kept.one.rounds), list(kept.other.rounds)) == ([measured(0), measured(1)], [measured(2)])
    assert [len(record.rounds) for record in read(kept.file).records] == [1, 0]

    kept.one.rounds.append(measured(3))

    assert [round_.position for round_ in read(kept.file).records[0].rounds] == [0, 1, 3]
    assert list(kept.other.rounds) == list(read(kept.file).records[1].rounds) == [measured(2)]
    assert len(kept.asked) == 4  # room is requested once per round, even after several attempts


class Harmful:
    """An object that an attacker with write access could put into the file."""

    def __init__(self, call: object, *arguments: object) -> None:
        self.reduced = (call, arguments)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return self.reduced


@pytest.mark.parametrize(
    "harmful", [Harmful(os.system, "true"), Harmful(eval, "1"), Harmful(run, ["true"])], ids=["os", "builtin", "own"]
)
def test_an_entry_that_does_something_is_refused(tmp_path: Path, harmful: Harmful) -> None:
    kept = Campaign(tmp_path)
    kept.one.rounds.append(harmful)
    with pytest.raises(pickle.UnpicklingError, match="is no part of a record"):
        kept.one.rounds[0]
