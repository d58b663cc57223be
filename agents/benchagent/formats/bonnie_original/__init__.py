"""Output of Tim Bray's Bonnie. Discovered by ``benchagent.formats``; ``formats.bonnie`` uses its progress lines."""

from .reader import TOOL, parse, recognises

RANK = 21

__all__ = ["RANK", "TOOL", "parse", "recognises"]
