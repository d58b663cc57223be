"""Implied values: limits that no value can exceed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from benchdb.publications.article_facts import StatementFacts

from .finding import BOUNDS, SIZES, SPACE
from .known import INFINITE, Known, Range
from .statements import cited, objects_of

# Bytes a second of interfaces, before any overhead: of what an article names, and of models by their data sheets.
INTERFACES = (
    (re.compile(r"(?i)ultra.?320|LSI22320"), "Ultra-320 SCSI moves 320 MB/s", 320 * 10**6),
    (re.compile(r"ST3\d+AS\b"), "SATA of 3 Gbit/s moves 300 MB/s", 300 * 10**6),
    (re.compile(r"SN770"), "PCIe 4.0 of 4 lanes moves 7.88 GB/s", 7_877 * 10**6),
)


def interfaces(entries: Sequence[StatementFacts]) -> Iterator[Known]:
    """The greatest rate of each object whose interface or model is named."""
    for entry in entries:
        if entry["quantity"] in ("interface", "model"):
            for form, text, most in INTERFACES:
                if form.search(entry["value"]):
                    for name in objects_of(entry):
                        limit = Range(Decimal(0), Decimal(most))
                        yield Known(name, "rate", (limit,), text, (cited(entry, name),), BOUNDS)


def limits(known: Sequence[Known]) -> Iterator[Known]:
    """A size is at most the space it has; what is counted from 0 has more members than its last number."""
    for each in known:
        if each.quantity == "space":
            room = tuple(Range(Decimal(0), reading.high) for reading in each.ranges)
            yield Known(each.object, "size", room, f"room of {each.text}", each.used, SPACE)
        if each.quantity == "index":
            more = tuple(Range(reading.low + 1, INFINITE) for reading in each.ranges)
            yield Known(each.object, "count", more, f"number {each.text}, counted from 0", each.used, SIZES)
