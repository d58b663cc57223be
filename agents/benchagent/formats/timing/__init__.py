"""Output of `time` around any command, so this format comes last. Discovered by ``benchagent.formats``."""

from .reader import TOOL, parse, recognises

RANK = 100

__all__ = ["RANK", "TOOL", "parse", "recognises"]
