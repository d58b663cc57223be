"""Output of fio, as JSON or as its report for people. Discovered by ``benchagent.formats``."""

from .reader import TOOL, parse, recognises

RANK = 40

__all__ = ["RANK", "TOOL", "parse", "recognises"]
