"""The properties that udev keeps of block devices."""

from __future__ import annotations

from .source import Source

UDEV = "/run/udev/data"


def parse_udev(text: str) -> dict[str, str]:
    """The properties (`E:KEY=value`) of one device in udev's database."""
    pairs = (line[2:].partition("=") for line in text.splitlines() if line.startswith("E:"))
    return {key: value for key, _, value in pairs}


def udev_properties(source: Source, device: str) -> dict[str, str]:
    """The properties of a block device; `{}` in containers and on machines without udev."""
    return parse_udev(source.text(f"{UDEV}/b{source.line(f'{device}/dev')}") or "")
