"""Output of Geriatrix. Discovered by ``benchagent.formats``."""

from .reader import TOOL, parse, recognises

RANK = 60

__all__ = ["RANK", "TOOL", "parse", "recognises"]
