"""Targets and results that differ in one component."""

from typing import Any

from django.test import Client

from tests.support.comparing.comparisons import values
from tests.support.documents import GIB, MIB, result, target
from tests.support.html import Page, read


def page_of(client: Client, address: str, status: int = 200) -> Page:
    """The page at an address that answers with this status."""
    return read(client.get(address), status)


def measured(*pairs: tuple[str, float]) -> list[dict[str, Any]]:
    """Results of six rounds by test, around these means."""
    return [result(values(mean), test, file_size=GIB, record_size=MIB) for test, mean in pairs]


def on_disk(model: str | None, file_system: str = "ext4") -> dict[str, Any]:
    """The target of most tests on another disk."""
    storage = target(file_system)
    storage["stack"][1]["model"] = model
    return storage


def on_raid(level: str | None, chunk: int | None) -> dict[str, Any]:
    """The target of most tests on another RAID array, or on none."""
    storage = target()
    array = {"kind": "raid", "name": "md0", "level": level, "chunk": chunk, "members": 4}
    storage["stack"][:1] = [array] if level else []
    return storage
