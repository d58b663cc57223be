"""An invented file system: all that a new one takes.

The kernel's ramfs plays it: BenchDB does not know it, each kernel mounts it, and it needs no device.
"""

from benchagent.filesystems.declaration import Checker, FileSystemType
from benchagent.filesystems.options import OptionRule
from benchagent.filesystems.reading import Format

FILE_SYSTEMS = (
    FileSystemType(
        "ramfs",
        package="ramfs-utils",
        rules=(
            OptionRule("barrier=0", "nobarrier"),
            OptionRule("fsync=lazy", None, "it was removed in Linux 5.0", (5,)),
        ),
        mkfs_options={"-b": r"\d{1,6}"},
        mount_options="mode=[0-7]{3}",
        force=("--yes",),
        checker=Checker("fsck.ramfs", {"fsck_clean": ("--quick",)}, whole=frozenset({0}), replays=False),
        settings=lambda source, mount, _device: Format(
            features=source.line("/proc/sys/kernel/ostype").split(), details={"seen_at": mount.type}
        ),
        colour=(7, 5),
        direct=True,
        direct_block=8192,
        data_journal="journal",
        dax=True,
    ),
)
