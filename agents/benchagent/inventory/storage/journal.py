"""The journal of an ext4 file system, which may be on a device of its own.

The kernel names the directory of a journal in `/proc/fs/jbd2` after its device, and after the journal's inode if it is
a file (`sda1-8`; a journal on a device of its own is `sdb1`). Its thread has the same name after `jbd2/`, and the
number of this thread is in `/sys/fs/ext4/*/journal_task` (fs/jbd2/journal.c, fs/ext4/sysfs.c).
"""

from __future__ import annotations

from benchagent.inventory.source import Source

from .block import device_by_name

JOURNALS = "/proc/fs/jbd2"
_THREAD = "jbd2/"
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


def journal_devices(source: Source, names: list[str]) -> list[str]:
    """The devices of the journals that the file systems on these devices have on devices of their own."""
    journals = (journal_of(source, name) for name in names)
    found = (device_by_name(source, each) for each in journals if each)
    return [device for device in found if device]
