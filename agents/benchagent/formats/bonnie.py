"""bonnie++'s CSV lines, formats 1.9x to 2.00, alone or with the table and progress lines around them.

Fields are those of bon_csv2html(1). K/s is KiB/s (bonnie++(8)); a row of plus signs is a cell that took less than
bonnie++'s half second. bonnie++ writes no chunk size into its CSV, and its number of directories one field late.
"""

from __future__ import annotations

import re

from benchagent.formats.bonnie_fields import CREATE_TESTS, Fields, read_fields
from benchagent.formats.collect import Collector, Key, params_key
from benchagent.formats.model import FormatError, Param, Parsed
from benchagent.formats.text import split_lines
from benchagent.formats.vocabulary import BONNIE_TESTS

TOOL = "bonnie++"

_CSV = re.compile(r"\s*(?:1\.9\d|2\.\d\d)[a-z]?,(?:1\.9\d|2\.\d\d)[a-z]?,")
_TABLE = re.compile(r"\s*Version +(?:1\.9\d|2\.\d\d)[a-z]?  +-")
_KNOWN = re.compile(
    r"\s*(?:#|Using uid:|Writing |Rewriting|Reading |start 'em|Create files|Stat files|Delete files"
    r"|format_version,bonnie_version)"
)
_NUMBER = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,9})?")
_LATENCY = re.compile(r"([0-9]{1,15})(us|ms|s)")
_LATENCY_DIVISOR = {"us": 1e6, "ms": 1e3, "s": 1.0}


def recognises(text: str) -> bool:
    return any(_CSV.match(line) or _TABLE.match(line) for line in split_lines(text))


def parse(text: str, parser_version: str) -> Parsed:
    """Read every CSV line of a text; several lines of one machine name and workload are values of one result."""
    collector = Collector()
    rows: list[Fields] = []
    in_table, table_line = False, 0
    for number, line in enumerate(split_lines(text), start=1):
        if _CSV.match(line):
            rows.append(read_fields(line, number))
            in_table = False
        elif _TABLE.match(line):
            in_table, table_line = True, table_line or number
        elif not line.strip():
            in_table = False
        elif not in_table and not _KNOWN.match(line):
            collector.unread(number, line)
    if not rows:
        raise FormatError("no CSV line of bonnie++ 1.9x or 2.x is there; its table alone is not read", table_line or 1)
    several = len({fields.text("name") for fields in rows}) > 1
    for fields in rows:
        _keep(collector, fields, {"name": fields.text("name")} if several else {})
    return Parsed(
        tool=TOOL,
        tool_version=rows[-1].tool_version,
        command=None,
        results=collector.results(),
        warnings=collector.warnings(),
        unread=collector.unread_lines(),
        parser_version=parser_version,
    )


def _keep(collector: Collector, fields: Fields, name: dict[str, Param]) -> None:
    """Hand a line's cells to the collector; ``name`` goes into the params where the text has several names."""
    for test in BONNIE_TESTS:
        if test.startswith(("char", "block")):
            _number(collector, fields, _key(fields, test, "throughput", name), test, multiplier=1024)
        else:
            _number(collector, fields, _key(fields, test, "rate", name), test)
        cpu = _key(fields, test, "cpu_of_one_core", name)
        _number(collector, fields, cpu, f"{test}_cpu", divisor=100)
        _latency(collector, fields, _key(fields, test, "latency_max", name), f"{test}_latency")
    if fields.missing:
        collector.warn(f"the line ends early: {fields.missing} of its fields are missing", fields.line)


def _key(fields: Fields, test: str, metric: str, name: dict[str, Param]) -> Key:
    if test in CREATE_TESTS:
        return Key(test, metric, threads=fields.concurrency, params=params_key({**fields.file_params, **name}))
    params = params_key({**(fields.seek_params if test == "random_seek" else {}), **name})
    return Key(test, metric, fields.file_size, fields.chunk_size, fields.concurrency, params)


def _number(collector: Collector, fields: Fields, key: Key, field: str, multiplier: int = 1, divisor: int = 1) -> None:
    """Keep a number or a row of plus signs. An empty field is a test that was not run."""
    text = fields.text(field)
    if not text:
        return
    if set(text) == {"+"}:
        collector.no_value(key, fields.line, f"bonnie++ printed {text}: too fast for its half second")
    elif not _NUMBER.fullmatch(text):
        raise FormatError(f"{text!r} is no number", fields.line, fields.column(field))
    elif float(text) == 0 and key.metric != "cpu_of_one_core":
        collector.no_value(key, fields.line, f"bonnie++ printed {text}")
    else:
        collector.value(key, float(text) * multiplier / divisor, fields.line)


def _latency(collector: Collector, fields: Fields, key: Key, field: str) -> None:
    """The longest single operation, printed in whole us, ms or s."""
    text = fields.text(field)
    if not text:
        return
    match = _LATENCY.fullmatch(text)
    if not match:
        raise FormatError(f"{text!r} is no time in us, ms or s", fields.line, fields.column(field))
    if int(match[1]):
        collector.value(key, int(match[1]) / _LATENCY_DIVISOR[match[2]], fields.line)
    else:
        collector.no_value(key, fields.line, f"bonnie++ printed {text}: under one tick of its clock")
