"""Statistics of LKP, the Linux kernel performance tests. Discovered by ``benchagent.formats``."""

from . import derived
from .reader import TOOL, parse, recognises

RANK = 70
NAMED_FORMATS = (derived,)

__all__ = ["NAMED_FORMATS", "RANK", "TOOL", "parse", "recognises"]
