"""The recorded parameters of a point, with names in the plan scrubbed."""

import errno
import os
import subprocess
from pathlib import Path

from benchagent.inventory import Source
from benchagent.inventory.privacy.scrub import Scrubber
from benchagent.measuring.points import recorded_command, recorded_parameters
from benchagent.measuring.tool_round import Bench, tidied
from benchagent.plan.model import Point, Target, Workload
from benchagent.tools import CommandContext
from tests.agents.targets.test_prepare import loop_devices, root


def test_names_that_a_person_wrote_in_the_plan_are_scrubbed() -> None:
    scrub = Scrubber(users=["wanda"]).scrub
    given = {"file_sizes": [1024], "record_sizes": [1024], "tests": ["write"], "note": "by wanda", "seconds": 7}
    point = Point(Target("t", "directory"), Workload("w", "iozone", given | {"names": ["x", "wanda"]}))
    recorded = recorded_parameters(point, scrub)
    assert (recorded["note"], recorded["names"], recorded["seconds"]) == ("by <user>", ["x", "<user>"], 7)
    target = Target("t", "image", size=2**26, file_system="ext4", mkfs_options=("-L", "wanda"))
    mkfs = Point(target, Workload("m", "mkfs"))
    bench = Bench(CommandContext(seed=0, root=True), "uncontrolled", Source(), scrub, lambda: None)
    assert "wanda" not in recorded_command(mkfs, bench)
    assert "<user>" in recorded_command(mkfs, bench)


def test_only_what_the_block_added_is_removed(tmp_path: Path) -> None:
    directory = tmp_path / "target"
    directory.mkdir()
    (directory / "before").touch()
    with tidied(directory) as left:
        (directory / "added").mkdir()
        (directory / "added/file").touch()
    assert os.listdir(directory) == ["before"]
    assert left.error is None


@root
@loop_devices
def test_a_file_system_that_became_read_only_keeps_its_files_and_the_round(tmp_path: Path) -> None:
    """ext4 becomes read-only if its device reports an error; here it is remounted."""
    image, directory = tmp_path / "image", tmp_path / "target"
    image.write_bytes(b"")
    os.truncate(image, 2**26)
    directory.mkdir()
    subprocess.run(["mkfs.ext4", "-q", image], check=True)
    subprocess.run(["mount", "-o", "loop", image, directory], check=True)
    try:
        with tidied(directory) as left:
            (directory / "iozone.tmp").touch()
            subprocess.run(["mount", "-o", "remount,ro", directory], check=True)
    finally:
        subprocess.run(["umount", directory], check=True)
    assert (
        left.error
        == f"files of the round could not be removed: [Errno {errno.EROFS}] Read-only file system: 'iozone.tmp'"
    )
