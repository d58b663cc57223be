"""The journal of a file system, which may be on a device of its own.

For ext3 and ext4, the kernel names the directory of a journal in `/proc/fs/jbd2` after its device, and after the
journal's inode if it is a file (`sda1-8`; a journal on a device of its own is `sdb1`). Its thread has the same name
after `jbd2/`, and the number of this thread is in `/sys/fs/ext4/*/journal_task` (fs/jbd2/journal.c, fs/ext4/sysfs.c).
Other file systems name the device in a mount option.
"""

from __future__ import annotations

from benchagent.inventory.mounts import MountInfo
from benchagent.inventory.source import Source

from .block import device_by_name, name_of

JOURNALS = "/proc/fs/jbd2"
_THREAD = "jbd2/"
_OPTIONS = {"logdev": "log", "rtdev": "realtime", "jdev": "journal"}  # of xfs, xfs and reiserfs; the role of the device
_LONGEST = 15  # characters of a thread's name before Linux 5.17


def journal_of(source: Source, name: str) -> str | None:
    """The name in `/proc/fs/jbd2` of the journal of the ext4 on the device that the kernel calls `name`.

    None without a journal, or if it cannot be found: in a container the thread may not be visible.
    """
    journals = source.names(JOURNALS)
    stem = name.replace("/", "!")
    if own := [each for each in journals if each.rpartition("-")[0] == stem]:
        return own[0]
    task = source.integer(f"/sys/fs/ext4/{stem}/journal_task")
    thread = source.line(f"/proc/{task}/comm") if task else None
    if thread is None or not thread.startswith(_THREAD):
        return None
    wanted = thread[len(_THREAD) :]
    cut = len(thread) >= _LONGEST
    found = [each for each in journals if each == wanted] or [
        each for each in journals if cut and each.startswith(wanted)
    ]
    return found[0] if len(found) == 1 else None


def side_devices(source: Source, mount: MountInfo | None, devices: list[str]) -> list[tuple[str, str | None]]:
    """The devices beside the data `devices` of a file system: `journal`, `log` or `realtime`, and the device.

    The device is None if a mount option names one that is not in /sys.
    """
    journals = [journal for device in devices if (journal := journal_of(source, name_of(device)))]
    found = [("journal", device) for journal in journals if (device := device_by_name(source, journal))]
    options = (option.partition("=") for option in (mount.super_options if mount else ()))
    paths = [(_OPTIONS[key], source.resolve(path)) for key, _, path in options if key in _OPTIONS]
    return [*found, *((role, device_by_name(source, path.rpartition("/")[2])) for role, path in paths)]
