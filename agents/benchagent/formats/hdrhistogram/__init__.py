"""HdrHistogram's logs of distributions. Discovered by ``benchagent.formats``."""

from .reader import STATED_UNITS, TOOL, parse, recognises

RANK = 75

__all__ = ["RANK", "STATED_UNITS", "TOOL", "parse", "recognises"]
