"""Rules for options: how old ones are written for a kernel, and patterns of those that stay on the target."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

Version = tuple[int, ...]
Flags = Mapping[str, str]  # flag → pattern of its value, or of each comma-separated part of it; empty: no value

NUMBER = r"\d{1,12}"
SIZE = r"\d{1,12}[bBkKmMgGsStT]?"
BIT = "[01]"
LABEL = r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,11}"
FEATURE = r"\^?[a-z][a-z0-9_-]{0,31}"


@dataclass(frozen=True)
class OptionRule:
    """How to replace a mount option, in kernels from `since` on.

    `option` is a pattern. `instead` is the replacement: "" if the option is obsolete, None if the kernel cannot do it
    any more. `mkfs` are arguments of mkfs with the same effect.
    """

    option: str
    instead: str | None
    why: str = ""
    since: Version = (0,)
    mkfs: tuple[str, ...] = ()

    def fits(self, option: str, kernel: Version) -> bool:
        """Whether the rule is for this option in this kernel."""
        return kernel >= self.since and bool(re.fullmatch(self.option, option))


WITH_BARRIERS, WITHOUT_BARRIERS = r"barrier(=1|=flush)?", r"nobarrier|barrier=(0|none)"
BARRIERS = (OptionRule(WITH_BARRIERS, "barrier"), OptionRule(WITHOUT_BARRIERS, "nobarrier"))
NO_DATA_MODES = OptionRule("data=(writeback|ordered|journal)", None, "only ext3, ext4 and reiserfs have data modes")
