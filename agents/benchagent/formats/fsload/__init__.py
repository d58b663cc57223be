"""Output of fsload, the workload engine of BenchDB. Discovered by ``benchagent.formats``."""

from .reader import TOOL, parse, recognises

RANK = 30

__all__ = ["RANK", "TOOL", "parse", "recognises"]
