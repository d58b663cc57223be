"""HdrHistogram's logs of distributions. Discovered by ``benchagent.formats``."""

from .reader import TOOL, parse, recognises

RANK = 75

__all__ = ["RANK", "TOOL", "parse", "recognises"]
