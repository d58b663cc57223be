"""Output of iozone: tables, reports, throughput mode and spreadsheets. Discovered by ``benchagent.formats``."""

from . import workbook
from .reader import STATED_UNITS, TOOL, parse, recognises

RANK = 10
BINARY_FORMATS = (workbook,)

__all__ = ["BINARY_FORMATS", "RANK", "STATED_UNITS", "TOOL", "parse", "recognises"]
