"""Timings of hdparm. Discovered by ``benchagent.formats``."""

from .reader import TOOL, parse, recognises

RANK = 85  # people run hdparm beside other tools, whose outputs say more

__all__ = ["RANK", "TOOL", "parse", "recognises"]
