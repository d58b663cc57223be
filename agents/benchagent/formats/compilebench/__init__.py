"""Output of compilebench. Discovered by ``benchagent.formats``."""

from .reader import TOOL, parse, recognises

RANK = 70

__all__ = ["RANK", "TOOL", "parse", "recognises"]
