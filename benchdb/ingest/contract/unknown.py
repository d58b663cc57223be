"""Sections of a document about which nothing is known. Used by imports and publications."""

from __future__ import annotations

from .json_text import Raw


def unknown_environment() -> Raw:
    """The required facts of an environment, all unknown."""
    return {
        "cpu": {"model": None, "architecture": None, "threads": None},
        "memory": {"total": None},
        "kernel": {"release": None},
        "os": {"id": None},
        "virtualization": {"kind": None},
        "block_devices": [],
    }


def unknown_target() -> Raw:
    """The required facts of a directory as a target, all unknown."""
    return {"kind": "directory", "file_system": {"type": None}, "mount": {}, "stack": []}
