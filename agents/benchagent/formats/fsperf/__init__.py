"""The database of fsperf. Discovered by ``benchagent.formats``."""

from . import reader
from .reader import TOOL
from .text import parse, recognises

RANK = 70
BINARY_FORMATS = (reader,)

__all__ = ["BINARY_FORMATS", "RANK", "TOOL", "parse", "recognises"]
