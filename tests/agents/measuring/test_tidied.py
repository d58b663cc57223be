"""What is left of a round is removed, unless the kernel made the file system read-only."""

from __future__ import annotations

import errno
import os
import subprocess
from pathlib import Path

from benchagent.measuring.tool_round import tidied
from tests.agents.targets.test_prepare import loop_devices, root


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
