"""JSON of github-action-benchmark. Discovered by ``benchagent.formats``."""

from .reader import TOOL, parse, recognises

RANK = 95  # its lists have no mark of their own

__all__ = ["RANK", "TOOL", "parse", "recognises"]
