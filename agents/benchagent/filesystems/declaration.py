"""The declaration of a file system: for plans, for the agent that makes and reads it, and for the server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Callable

from .options import Flags, OptionRule, Version
from .reading import Facts, Format, MountInfo, Source


@dataclass(frozen=True)
class Checker:
    """A program that checks file systems, with the arguments of each test.

    An exit code in `whole` means that the file system is intact afterwards. With `replays`, the program requires that
    the log is replayed first; a mount does so, and its time counts with the check.
    """

    program: str
    arguments: Mapping[str, tuple[str, ...]]
    whole: frozenset[int]
    replays: bool
    version: str = "-V"  # the argument that prints it


@dataclass(frozen=True)
class FileSystemType:
    """A file system by its name in the kernel.

    In plans:
    - `package` is the Debian package of its mkfs and checker; the agent makes no file system without one. `fedora` is
      Fedora's, "" if it has the same name, None if there is none.
    - `successor` replaces the name, with the reason. From a kernel on it may be `gone`, with the reason.
    - `rules` translate mount options for the kernel; the first that fits applies.
    - `mkfs_options` and `mount_options` are those that a plan from a server may give to mkfs and mount: a pattern of
      each flag's value, and one of whole options. Left out on purpose are options that name another device, file or
      directory (`-d`, `-r`, `-p`, `-J device=`, `logdev=`, `device=`, `loop`), those that can stop the machine
      (`errors=panic`, `-e`), positional arguments (a size, or a device), and permissions on the mounted file system
      (`suid`, `dev`, `exec`, `user`).
    - `tuned`: tune2fs can change it.

    On the machine:
    - mkfs gets `force` so that it asks nothing; images are empty when they are formatted. `keep` prevents that it
      discards the device first, which would free the space of an allocated image.
    - `drivers` are other modules of the kernel that mount it. `usual`: many plans want it.
    - `checker` is for the fsck tests. An image that is mounted with `hold` does not change while it is copied.
    - `settings` reads its features. `devices` gives the kernel's names of its devices, None if it has only the one in
      the table of mounts. `layers` and `states` say how it distributes data over them itself, and whether they are
      complete and idle (`target.stack`, `state_before.arrays`). `bdi` is the directory with its read-ahead, None if it
      is that of other mounts. Each gets the mount, and the kernel's name of its (first) device.
    - `pooled`: size, read-ahead and queue are those of a pool, not of one that is mounted.

    On the server:
    - `colour` is a number from 1 to 7 (`benchdb.wording.colours`), with the rank among the file systems of this colour.
    - `direct`: it does what O_DIRECT asks for, which open accepts on many that use a cache all the same. Records that
      are no multiple of `direct_block` bytes go through the page cache, with an option of `direct_unsure` all may, and
      with `direct_waits` a write that is buffered waits for the device before it returns.
    - With the mount option `data_journal`, data go through the page cache and are written twice.
    - `dax`: it can map files past the page cache. `own_cache`: it has one beside the page cache. `compresses`: all
      data, unless its settings have `compression` off.

    `rank` orders lists of file systems.
    """

    name: str
    package: str = ""
    fedora: str | None = ""
    successor: tuple[str, str] | None = None
    gone: tuple[Version, str] | None = None
    rules: tuple[OptionRule, ...] = ()
    mkfs_options: Flags = field(default_factory=dict)
    mount_options: str = "defaults"
    tuned: bool = False
    force: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    drivers: tuple[str, ...] = ()
    usual: bool = False
    checker: Checker | None = None
    hold: str = ""
    settings: Callable[[Source, MountInfo, str | None], Format] = lambda _source, _mount, _device: Format()
    devices: Callable[[Source, MountInfo], list[str] | None] = lambda _source, _mount: None
    layers: Callable[[Source, MountInfo, str | None], list[Facts]] = lambda _source, _mount, _device: []
    states: Callable[[Source, MountInfo, str | None], list[Facts]] = lambda _source, _mount, _device: []
    bdi: Callable[[Source, MountInfo, str | None], str | None] = lambda _source, _mount, _device: None
    pooled: bool = False
    colour: tuple[int, int] | None = None
    direct: bool = False
    direct_block: int = 1
    direct_unsure: frozenset[str] = frozenset()
    direct_waits: bool = False
    data_journal: str | None = None
    dax: bool = False
    own_cache: bool = False
    compresses: bool = False
    rank: int = 100

    @property
    def program(self) -> str:
        """The name of its mkfs."""
        return f"mkfs.{self.name}"
