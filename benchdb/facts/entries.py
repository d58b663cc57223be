"""How a person's entry for a fact is read: each function raises ValueError with the form that it expects."""

from __future__ import annotations

import re
import shlex
from decimal import Decimal

from benchdb.wording.sizes import parse_size

EntryValue = str | int | bool | list[str]
LARGEST = 2**63 - 1
_RAID = re.compile(r"(?:raid)?[\s-]*(\d{1,2})")


def text(value: str) -> str:
    """One line of 1 to 200 characters."""
    if len(value) > 200 or not value.isprintable():
        raise ValueError("one line of at most 200 characters")
    return value


def size(value: str) -> int:
    """`8 GiB`, `128K`, `4096`; fractions as in `1.5 TiB`."""
    match = re.fullmatch(r"(\d{1,15})\.(\d{1,6})\s*([KMGTP])i?B?", value, re.IGNORECASE)
    try:
        step = parse_size(f"1{match[3]}") if match else 1
        bytes_ = round(Decimal(f"{match[1]}.{match[2]}") * step) if match else parse_size(value)
    except ValueError:
        bytes_ = 0
    if not 0 < bytes_ <= LARGEST:
        raise ValueError("a size such as 8 GiB, 128 KiB or 4096")
    return bytes_


def count(value: str) -> int:
    """A whole number from 1 to a million."""
    if not value.isdecimal() or not 0 < int(value[:8]) <= 1_000_000:
        raise ValueError("a whole number from 1 on")
    return int(value)


def raid_level(value: str) -> str:
    """`raid6` of `6`, `RAID 6` and `raid-6`; `none`; other words as they are, in lower case."""
    lower = text(value).lower()
    match = _RAID.fullmatch(lower)
    return f"raid{match[1]}" if match else lower


def command(value: str) -> list[str]:
    """Program and arguments, without a device at the end."""
    try:
        words = shlex.split(value)
    except ValueError as error:
        raise ValueError(f"a command line as in a shell: {error}") from None
    if len(words) > 1 and words[-1].startswith("/dev/"):
        words.pop()
    if not words or any(not word or len(word) > 4096 or "\x00" in word for word in words):
        raise ValueError("a command line such as mkfs.ext4 -b 4096")
    return words


def options(value: str) -> list[str]:
    """Mount options, separated by commas."""
    return [text(stripped) for option in value.split(",") if (stripped := option.strip())]


def disk_kind(value: str) -> bool:
    """Whether the disk rotates: `hdd` or `ssd`."""
    rotating = {"hdd": True, "ssd": False, "rotating": True, "solid state": False}.get(value.lower())
    if rotating is None:
        raise ValueError("hdd or ssd")
    return rotating
