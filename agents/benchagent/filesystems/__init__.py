"""The file systems, one module each: everything that agent and server know of a file system."""

from __future__ import annotations

from benchagent.system.discovery import discovered

from .declaration import FileSystemType

FILE_SYSTEMS: dict[str, FileSystemType] = discovered(__path__, __name__, FileSystemType, "FILE_SYSTEMS")
"""By their names in the kernel, in the order in which lists of file systems have them."""

__all__ = ["FILE_SYSTEMS", "FileSystemType", "made", "named", "planned"]


def named(name: str | None) -> FileSystemType:
    """The file system with this name; if no module declares it, one with only a name."""
    return FILE_SYSTEMS.get(name or "") or FileSystemType(name or "")


def made() -> list[FileSystemType]:
    """The file systems that the agent can make, where their programs are installed."""
    return [each for each in FILE_SYSTEMS.values() if each.package]


def planned() -> list[str]:
    """The names that plans can have: those of `made`, and names that are translated or refused with the reason."""
    return [each.name for each in FILE_SYSTEMS.values() if each.package or each.successor or each.gone]
