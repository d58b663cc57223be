"""Shuts a file system down as a power cut does, so that it must be recovered and checked.

The ioctl is XFS_IOC_GOINGDOWN; ext4's driver (for ext2 and ext3 too) and f2fs adopted it with the same number. btrfs
has no such ioctl before Linux 6.19: there a mounted image is copied, with the writes that have reached it so far.
"""

from __future__ import annotations

import errno
import fcntl
import os
import platform
import struct
from pathlib import Path

# _IOR('X', 125, __u32); these architectures encode the direction in other bits.
_OTHER_BITS = ("ppc", "mips", "sparc", "alpha")
GOING_DOWN = 0x4004587D if platform.machine().startswith(_OTHER_BITS) else 0x8004587D
NO_LOG_FLUSH = 2  # data in memory is lost, as in a power cut
UNKNOWN = (errno.ENOTTY, errno.EOPNOTSUPP, errno.EINVAL)

FILES = 1000  # written just before the shutdown
SIZE = 4096  # bytes per file
DIRECTORY = "dirty"


def write_files(directory: Path) -> None:
    """Change a file system so that there is something to recover after the shutdown.

    The first half of the files is committed, the second is not; one fsync in it brings a part of it into the log.
    """
    folder = directory / DIRECTORY
    folder.mkdir()
    for number in range(FILES):
        descriptor = os.open(folder / f"{number:04}", os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600)
        try:
            os.write(descriptor, bytes([number % 251 + 1]) * SIZE)
            if number == FILES * 3 // 4:
                os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if number == FILES // 2:
            os.sync()


def go_down(directory: Path) -> bool:
    """Shut the file system down; afterwards it can only be unmounted. False, with no change, if it cannot shut down."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.ioctl(descriptor, GOING_DOWN, struct.pack("I", NO_LOG_FLUSH))
    except OSError as error:
        if error.errno in UNKNOWN:
            return False
        raise
    finally:
        os.close(descriptor)
    return True
