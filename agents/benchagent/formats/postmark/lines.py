"""Patterns of the lines that PostMark prints, and the meaning of their words."""

from __future__ import annotations

import re

from benchagent.formats.model import Param
from benchagent.formats.reading.runs import NUMBER

# All patterns match whole lines without the blanks at their ends.
BANNER = re.compile(r"PostMark v([0-9.]{1,10})(?: *:.{0,30})?")
TOTAL = re.compile(rf"({NUMBER}) seconds total")
TRANSACTIONS = re.compile(rf"({NUMBER}) seconds of transactions \(({NUMBER}) per second\)")
FILES = re.compile(rf"([0-9]{{1,15}}) (created|read|appended|deleted) \(({NUMBER}) per second\)")
PART = re.compile(
    rf"(Creation alone|Deletion alone|Mixed with transactions): ([0-9]{{1,15}}) files \(({NUMBER}) per second\)"
)
_AMOUNT = rf"({NUMBER}) (bytes|kilobytes|megabytes)"
DATA = re.compile(rf"{_AMOUNT} (read|written) \({_AMOUNT} per second\)")
TERSE = re.compile(rf"[0-9]{{1,12}} [0-9]{{1,12}}(?: {NUMBER}){{11}}")
# Standard error may appear in the middle of a line of progress.
_PROGRESS = r"(?:Creating|Deleting|Performing) [a-z]{1,20}\.{1,20}"
ERROR = re.compile(rf"(?:{_PROGRESS})?(Error: .{{1,300}})")
OUT_OF_FILES = re.compile(rf"(?:{_PROGRESS})?(out of files!)")
KNOWN = re.compile(
    rf"{_PROGRESS}(?:Done)?|Done|"
    r"For this workload, either increase the number of files or|decrease the number of transactions\.|"
    r"Time:|Files:|Data:"
    r"|(?:run|load|set report|set location)(?: .{1,200})?|exit|quit|show|help|Reading configuration from file .{1,200}"
)
BYTES = {"bytes": 1, "kilobytes": 1024, "megabytes": 1024**2}
TESTS = {"created": "create", "read": "read", "appended": "append", "deleted": "delete", "written": "write"}
ALONE: dict[str, Param] = {"phase": "alone"}
MIXED: dict[str, Param] = {"phase": "with_transactions"}
# The terse report's numbers after both times: (test, metric, params), as in the verbose one.
TERSE_CELLS: tuple[tuple[str, str, dict[str, Param]], ...] = (
    ("transactions", "rate", {}),
    ("create", "rate", {}),
    ("create", "rate", ALONE),
    ("create", "rate", MIXED),
    ("read", "rate", {}),
    ("append", "rate", {}),
    ("delete", "rate", {}),
    ("delete", "rate", ALONE),
    ("delete", "rate", MIXED),
    ("read", "throughput", {}),
    ("write", "throughput", {}),
)
