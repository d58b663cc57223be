"""What readers of features get and return."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:  # the inventory is above this package
    from benchagent.inventory.facts import Facts as Facts
    from benchagent.inventory.mounts import MountInfo as MountInfo
    from benchagent.inventory.source import Source as Source
else:
    Facts = MountInfo = Source = Any


class Format(NamedTuple):
    """The features and geometry with which a file system was made; sizes in bytes, None is unknown.

    `features` are sorted. `details` are specific to the type; those that are None are left out.
    """

    features: Sequence[str] | None = None
    block_size: int | None = None
    inode_size: int | None = None
    stride: int | None = None
    stripe_width: int | None = None
    details: Mapping[str, object] = {}


def number(text: str | None) -> int | None:
    """The number at the beginning of a text; None if there is none."""
    match = re.match(r"\d+", text or "")
    return int(match[0]) if match else None


def times(text: str | None, unit: int | None) -> int | None:
    """A number of blocks in bytes; None for a missing number and for 0, which means that nothing was set."""
    count = number(text)
    return count * unit if count and unit else None
