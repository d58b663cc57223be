"""Results of the Phoronix Test Suite. Discovered by ``benchagent.formats``."""

from .reader import TOOL, parse, recognises

RANK = 70

__all__ = ["RANK", "TOOL", "parse", "recognises"]
