"""The undo journal: on the disk before any change, always complete, and removed if there is nothing to undo."""

import json
import os
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchagent.errors import PreparationError
from benchagent.system.journal import JOURNAL, Journal, boot
from benchagent.targets.loop import tool, unmount

root = pytest.mark.needs("root", package=None)


def test_what_is_noted_is_read_by_the_next_agent(tmp_path: Path) -> None:
    first = Journal(tmp_path).note("queue", path="/sys/block/sda/queue", old={"scheduler": "none"})
    assert Journal(tmp_path).entries == (first,)
    assert first == {"undo": "queue", "boot": boot(), "path": "/sys/block/sda/queue", "old": {"scheduler": "none"}}
    assert json.loads((tmp_path / JOURNAL).read_text()) == first


def test_the_file_is_gone_when_everything_is_undone(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    one, two = journal.note("scratch", path="/a"), journal.note("scratch", path="/b")
    journal.forget(one)
    assert Journal(tmp_path).entries == (two,)
    journal.forget(two)
    assert os.listdir(tmp_path) == []


@settings(max_examples=30)
@given(st.lists(st.tuples(st.booleans(), st.text(st.characters(codec="utf-8")))))
def test_any_sequence_of_notes_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[bool, str]]
) -> None:
    directory = tmp_path_factory.mktemp("journal")
    journal, expected = Journal(directory), []
    for keep, path in steps:
        if keep or not expected:
            expected.append(journal.note("scratch", path=path))
        else:
            journal.forget(expected.pop(0))
    assert Journal(directory).entries == tuple(expected)


def test_a_journal_that_cannot_be_read_is_not_thrown_away(tmp_path: Path) -> None:
    (tmp_path / JOURNAL).write_text("{")
    with pytest.raises(PreparationError, match="undo by hand what it names"):
        Journal(tmp_path)
    assert (tmp_path / JOURNAL).read_text() == "{"


@root
def test_what_cannot_be_noted_is_not_done(tmp_path: Path) -> None:
    """On a full disk, earlier entries stay."""
    tool("mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(tmp_path))
    try:
        journal = Journal(tmp_path)
        first = journal.note("scratch", path="/a")
        with pytest.raises(PreparationError, match=r"No space left on device\. Nothing was changed."):
            journal.note("queue", path="/b", old={"x": "y" * 20000})
        assert Journal(tmp_path).entries == journal.entries == (first,)
        assert os.listdir(tmp_path) == [JOURNAL]
    finally:
        unmount(tmp_path)


@root
def test_a_full_disk_keeps_nothing_from_being_forgotten(tmp_path: Path) -> None:
    tool("mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(tmp_path))
    try:
        journal = Journal(tmp_path)
        one, two = journal.note("scratch", path="/a"), journal.note("scratch", path="/b")
        with suppress(OSError):
            (tmp_path / "full").write_bytes(b"x" * 2**16)
        journal.forget(one)
        assert journal.entries == (two,)
        journal.forget(two)
        assert os.listdir(tmp_path) == ["full"]
    finally:
        unmount(tmp_path)
