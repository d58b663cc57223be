"""Another user replaces the agent's directory while root measures: nothing of root's is removed."""

import os
from pathlib import Path

import pytest

from benchagent.errors import PreparationError, UnsafeDirectory
from benchagent.measuring.tool_round import tidied
from benchagent.plan.model import Target
from benchagent.targets.journal_undo import remove_scratch
from benchagent.targets.preparable import why_not_prepared
from benchagent.targets.prepare import SCRATCH_NAME, prepared
from benchagent.targets.work_directory import WorkDirectory
from tests.agents.measuring.test_run import DIRECTORY, Agent
from tests.agents.support.stranger import UID, names, owned_by_stranger, reachable, swapping, treasure

pytestmark = pytest.mark.needs("root", package=None)
FSLOAD = """
rounds = 3
[[workloads]]
tool = "fsload"
file_sizes = ["32 MiB"]
record_sizes = ["4 KiB"]
tests = ["write"]
"""


def test_the_cleanup_stays_in_the_directory_that_was_prepared() -> None:
    """The swap happens at a known moment: while the tool runs."""
    with reachable() as base:
        directory = owned_by_stranger(base / "target")
        (directory / SCRATCH_NAME / "files").mkdir(parents=True)
        before = treasure(base / "treasure")
        with tidied(directory / SCRATCH_NAME / "files"):
            (directory / SCRATCH_NAME / "files/left by the tool").touch()
            with swapping(directory, base / "treasure") as stranger:
                assert stranger.stdout is not None
                assert stranger.stdout.readline() == "swapped\n"
        assert names(base / "treasure") == before
        assert os.listdir(directory / "moved-0/files") == []


@pytest.mark.needs("cc", package="gcc")
def test_root_measures_in_no_directory_of_another_user(tmp_path: Path) -> None:
    with reachable() as base:
        agent = Agent(tmp_path)
        agent.directory.rmdir()
        agent.directory = owned_by_stranger(base / "target")
        before = treasure(base / "treasure")
        with swapping(agent.directory, base / "treasure", rounds=10, longest=0.2):
            ended = agent.run(FSLOAD + DIRECTORY)
        assert ended.returncode == 10
        assert f"only directories that nobody else can replace, but {agent.directory} belongs to" in ended.stderr
        assert names(base / "treasure") == before
        assert os.listdir(agent.directory) == []


@pytest.mark.needs("cc", package="gcc")
def test_where_the_sticky_bit_protects_root_measures_or_gives_up(tmp_path: Path) -> None:
    """The other user can put the agent's directory there first, which only keeps the agent from measuring."""
    with reachable() as base:
        agent = Agent(tmp_path)
        agent.directory.rmdir()
        agent.directory = base / "target"
        agent.directory.mkdir()
        agent.directory.chmod(0o1777)
        before = treasure(base / "treasure")
        with swapping(agent.directory, base / "treasure") as stranger:
            ended = agent.run(FSLOAD + DIRECTORY)
            assert stranger.stdout is not None
            assert stranger.stdout.readline() == "swapped\n"
        assert ended.returncode in (4, 10), ended.stderr
        assert "belongs to another user" in ended.stderr
        assert names(base / "treasure") == before


def test_a_link_that_changes_after_a_queued_plan_was_checked(work: WorkDirectory) -> None:
    with reachable() as base:
        (base / "elsewhere").mkdir()
        (base / "allowed").symlink_to("elsewhere")
        os.lchown(base / "allowed", UID, UID)
        target = Target("directory", "directory", path=str(base / "allowed"))
        with (
            pytest.raises(UnsafeDirectory, match="allowed belongs to another user"),
            prepared(target, work, lambda: None),
        ):
            pass
        assert "belongs to another user" in str(why_not_prepared(target, work))
        assert os.listdir(base / "elsewhere") == []


def test_leftovers_in_a_directory_that_others_got_meanwhile_stay() -> None:
    with reachable() as base:
        directory = owned_by_stranger(base / "target")
        (directory / SCRATCH_NAME).mkdir(mode=0o700)
        with pytest.raises(PreparationError, match=r"target belongs to another user\. Remove it by hand"):
            remove_scratch(directory / SCRATCH_NAME)
        assert os.listdir(directory) == [SCRATCH_NAME]
