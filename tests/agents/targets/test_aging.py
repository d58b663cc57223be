"""Aged images: aged once, kept, and the same before every round."""

import os
from pathlib import Path

import pytest

from benchagent.errors import PreparationError
from benchagent.plan.model import Target
from benchagent.system.owned_directory import LOCK
from benchagent.targets import loop
from benchagent.targets.formatting import TREE
from benchagent.targets.preparable import why_not_prepared
from benchagent.targets.prepare import prepared
from benchagent.targets.work_directory import WorkDirectory
from tests.agents.targets.test_prepare import loop_devices, no_tick, root

pytestmark = [root, loop_devices, pytest.mark.needs("cc", package="gcc")]
MIB = 2**20


@pytest.fixture(autouse=True)
def fsload(monkeypatch: pytest.MonkeyPatch, program: Path) -> None:
    monkeypatch.setenv("BENCHAGENT_FSLOAD", str(program))


def aged(*, sparse: bool = True, **age: object) -> Target:
    age = {"profile": "desktop", "fullness": 0.2, "overwrites": 0.3, **age}
    return Target("target", "image", size=256 * MIB, file_system="ext4", sparse=sparse, age=age)


def layout(directory: Path) -> dict[str, tuple[int, int]]:
    """Every file with its size and its inode."""
    files = {}
    for folder, _, names in os.walk(directory):
        for name in names:
            status = os.stat(os.path.join(folder, name))
            files[os.path.relpath(os.path.join(folder, name), directory)] = (status.st_size, status.st_ino)
    return files


def test_every_round_begins_with_the_same_aged_file_system(in_memory: Path) -> None:
    with WorkDirectory(in_memory / "work", seed=7).opened() as work:
        assert why_not_prepared(aged(), work) is None
        with prepared(aged(), work, no_tick) as prepared_target:
            first = layout(prepared_target.directory / TREE)
            assert [step.test for step in prepared_target.steps] == ["mount"]
            assert prepared_target.aging is not None
            assert (prepared_target.aging["profile"], prepared_target.aging["seed"]) == ("desktop", 7)
            assert prepared_target.aging["fullness"] == pytest.approx(0.2, abs=0.1)
            assert prepared_target.aging["overwrites"] == pytest.approx(0.3, abs=0.1)
            assert prepared_target.aging["files"] == len(first)
            assert 0 < prepared_target.aging["layout_score"] <= 1
            assert (work.path / "target.aged").stat().st_blocks * 512 < 256 * MIB  # still sparse
            (prepared_target.directory / "more").write_text("x")
        with prepared(aged(), work, no_tick) as prepared_target:
            assert layout(prepared_target.directory / TREE) == first
            assert not (prepared_target.directory / "more").exists()
    assert os.listdir(in_memory / "work") == [LOCK]


def test_the_same_seed_gives_the_same_files(in_memory: Path) -> None:
    trees = []
    for seed in (1, 1):
        with (
            WorkDirectory(in_memory / "work", seed=seed).opened() as work,
            prepared(aged(), work, no_tick) as prepared_target,
        ):
            assert prepared_target.aging is not None
            trees.append((prepared_target.aging["digest"], layout(prepared_target.directory / TREE)))
    assert trees[0] == trees[1]


def test_an_image_that_takes_its_space_takes_it_when_it_is_restored(in_memory: Path) -> None:
    target = aged(sparse=False)
    with WorkDirectory(in_memory / "work").opened() as work, prepared(target, work, no_tick):
        assert (work.path / "target.img").stat().st_blocks * 512 >= target.size


def test_aging_that_fails_says_why_and_leaves_nothing(in_memory: Path) -> None:
    with WorkDirectory(in_memory / "work").opened() as work:
        with (
            pytest.raises(PreparationError, match="that must stay free"),
            prepared(aged(fullness=0.999, overwrites=1.0), work, no_tick),
        ):
            pass
        assert (loop.loops_under(work.path), os.listdir(work.path)) == ([], [LOCK])
