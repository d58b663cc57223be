"""Sizes in binary units as text, and back: 65536 is `64 KiB`, in a URL `64K`."""

from __future__ import annotations

import re

STEPS = ("", "K", "M", "G", "T", "P")
PATTERN = re.compile(r"(\d{1,19})\s*([KMGTP]?)(?:i?B)?", re.IGNORECASE)

_BREAK = re.compile(r"(\d) (?=[KMGTP]?i?B\b)")


def print_size(size: int) -> str:
    """The shortest exact form: `64K`, `1M`, `1000`."""
    step = 0
    while size and size % 1024 == 0 and step < len(STEPS) - 1:
        size //= 1024
        step += 1
    return f"{size}{STEPS[step]}"


def parse_size(text: str) -> int:
    """The bytes of a size such as `64K`. Raises ValueError for any other text."""
    match = PATTERN.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is not a size such as 64K, 1M or 4096")
    step: int = STEPS.index(match[2].upper())
    return int(match[1]) << (10 * step)


def say_size(size: float) -> str:
    """For people: `64 KiB`, `1 MiB`, `15.6 GiB`; three significant digits if the number is not whole."""
    step = 0
    while size >= 1024 and step < len(STEPS) - 1:
        size /= 1024
        step += 1
    number = f"{size:.0f}" if size == int(size) or size >= 100 else f"{size:.3g}"
    return f"{number} {STEPS[step]}{'iB' if step else 'B'}"


def unbroken(text: str) -> str:
    """The text without line breaks between a size and its unit or a number and its percent sign."""
    return _BREAK.sub("\\1\u00a0", text).replace(" %", "\u00a0%")
