"""Output of bonnie++: CSV lines, text tables, and both together. Discovered by ``benchagent.formats``."""

from .reader import TOOL, parse, recognises

RANK = 20

__all__ = ["RANK", "TOOL", "parse", "recognises"]
