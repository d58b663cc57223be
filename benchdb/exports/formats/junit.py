"""JUnit's XML: verdicts as test cases, for CI systems.

*Worse*, on the mean or on the tail, is a failure. *Better* and *equivalent* pass. *Inconclusive*, or no verdict, is
skipped with the reason. A cell that could not be measured is an error. A measured baseline is no test case.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from benchdb.compare.content import Placed
from benchdb.exports.contents import Content, cells
from benchdb.exports.origin import Origin
from benchdb.exports.registry import ExportFormat
from benchdb.wording.clean import clean

STATES = ("errors", "failures", "skipped")
TAGS = {"errors": "error", "failures": "failure", "skipped": "skipped"}


def export(content: Content, origin: Origin) -> bytes:
    """One test suite with a test case for each verdict."""
    outcomes = [
        (placed, *_outcome(placed)) for placed in cells(content) if not placed.cell.baseline or placed.cell.mean is None
    ]
    counts = {state: str(sum(each == state for _, each, _ in outcomes)) for state in STATES}
    root = Element("testsuites", {"name": "BenchDB", "tests": str(len(outcomes)), **counts})
    suite = SubElement(root, "testsuite", {"name": clean(content.title), "tests": str(len(outcomes)), **counts})
    SubElement(SubElement(suite, "properties"), "property", name="address", value=clean(origin.address))
    for placed, state, reasons in outcomes:
        case = SubElement(suite, "testcase", classname=_place(placed), name=clean(placed.row))
        if state in TAGS:
            said = SubElement(case, TAGS[state], message=clean(reasons[0]))
            said.text = "\n".join(map(clean, [*reasons, origin.address]))
    indent(root)
    written: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _outcome(placed: Placed) -> tuple[str, Sequence[str]]:
    """The state of the test case, and its reasons in words; "" if it passes."""
    cell, verdict, tail = placed.cell, placed.cell.verdict, placed.cell.tail
    if cell.mean is None:
        return "errors", [cell.error or cell.status]
    worse = [each.why for each in (verdict, tail) if each is not None and each.kind == "worse"]
    if worse:
        return "failures", worse
    if verdict is None or verdict.kind in ("inconclusive", "none"):
        return "skipped", [verdict.why if verdict else "There is nothing to compare it with."]
    return "", []


def _place(placed: Placed) -> str:
    return clean(" · ".join(filter(None, [placed.split, placed.column, placed.measure.metric])))


FORMAT = ExportFormat(
    extension="junit",
    media_type="application/xml",
    label="JUnit",
    hint="verdicts as test cases, for CI",
    export=export,
)
