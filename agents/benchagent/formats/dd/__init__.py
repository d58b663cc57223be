"""Output of dd. Discovered by ``benchagent.formats``."""

from .reader import TOOL, parse, recognises

RANK = 90  # people run dd beside other tools, whose outputs say more

__all__ = ["RANK", "TOOL", "parse", "recognises"]
