"""Decisions of `make setup`: whether a part is current, and how a failure is handled."""

from pathlib import Path

import pytest

from tools import setup
from tools.setup import Parts, SetupError, digest, is_current


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone with two files."""
    monkeypatch.setattr(setup, "ROOT", tmp_path)
    (tmp_path / "a").write_text("1")
    (tmp_path / "b").write_text("2")
    return tmp_path


def test_a_part_is_current_until_an_input_changes(clone: Path) -> None:
    stamp = clone / "stamp"
    inputs = [clone / "a", clone / "b"]
    assert not is_current(stamp, digest(inputs))
    stamp.write_text(digest(inputs))
    assert is_current(stamp, digest(reversed(inputs)))

    (clone / "b").write_text("3")
    assert not is_current(stamp, digest(inputs))


def test_names_and_other_ingredients_count_too(clone: Path) -> None:
    before = digest([clone / "a"])
    (clone / "a").rename(clone / "c")
    assert len({before, digest([clone / "c"]), digest([clone / "c"], "Python 3.12")}) == 3


def test_the_other_parts_are_made_although_one_fails(capsys: pytest.CaptureFixture[str]) -> None:
    made = []

    def fail() -> None:
        raise SetupError("no compiler")

    parts = Parts()
    parts.start("engine", fail)
    parts.start("front end", lambda: made.append("front end"))
    parts.wait()
    assert (made, parts.failures) == (["front end"], ["no compiler"])


def test_a_failed_command_is_shown_with_its_last_lines() -> None:
    with pytest.raises(SetupError, match=r"(?s)^It failed\.\n    the disk is full$"):
        setup.run("sh", "-c", "echo the disk is full; exit 1", failure="It failed.")
