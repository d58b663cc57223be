"""Output of Filebench. Discovered by ``benchagent.formats``."""

from .reader import TOOL, parse, recognises

RANK = 50

__all__ = ["RANK", "TOOL", "parse", "recognises"]
