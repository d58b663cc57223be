"""Output of FFSB, the Flexible File System Benchmark. Discovered by ``benchagent.formats``."""

from .reader import TOOL, parse, recognises

RANK = 50

__all__ = ["RANK", "TOOL", "parse", "recognises"]
