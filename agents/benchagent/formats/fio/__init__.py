"""Output of fio: JSON, the report for people, and logs over time. Discovered by ``benchagent.formats``."""

from . import log_reader
from .reader import TOOL, parse, recognises

RANK = 40
NAMED_FORMATS = (log_reader,)

__all__ = ["NAMED_FORMATS", "RANK", "TOOL", "parse", "recognises"]
