"""The outcome of a gate as lines for a terminal, as Markdown, and as JUnit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree as Xml

from benchagent.client.gate import GateJudgement
from benchagent.progress import counted
from benchagent.verdicts import VERDICTS

from .outcome import OUT_OF_BUDGET, STOPPED, GateOutcome

_NO_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def lines_of(outcome: GateOutcome) -> Iterator[str]:
    """The outcome for a terminal."""
    width = max((len(test.full_name) for test, _ in outcome.tests), default=0)
    for test, found in outcome.tests:
        yield f"{VERDICTS[found.verdict].sign} {test.full_name.ljust(width)}  {found.text}"
    for failure in outcome.failures:
        yield f"✗ {failure.place}: {failure}"
    yield outcome.summary
    yield from _notes(outcome)


def markdown_of(outcome: GateOutcome) -> str:
    """The outcome as GitHub and GitLab render it: a title, a sentence, a table, and the link."""
    lines = [f"### {_cell(outcome.name)}: {outcome.state}", "", _cell(outcome.summary)]
    if outcome.tests:
        lines += ["", "| test | verdict | change | 95 % interval | rounds |", "|---|---|---:|---:|---:|"]
        order = ["worse", "inconclusive", "none", "better", "equivalent"]
        ordered = sorted(outcome.tests, key=lambda each: order.index(each[1].verdict))
        lines += [f"| {_cell(test.full_name)} | {_row(found)} |" for test, found in ordered]
    if outcome.failures:
        lines += ["", *(f"- ✗ {_cell(failure.place)}: {_cell(str(failure))}" for failure in outcome.failures)]
    lines += [line for note in _notes(outcome) if note != outcome.link for line in ("", _cell(note))]
    if outcome.link is not None:
        lines += ["", f"[The table with every round, the machine and the raw output]({_cell(outcome.link)})"]
    return "\n".join(lines) + "\n"


def junit_of(outcome: GateOutcome) -> bytes:
    """The outcome as JUnit: a test that is worse is a failure, a failed side an error, an undecided test is skipped."""
    suite = Xml.Element("testsuite", name=_text(outcome.name))
    for test, found in outcome.tests:
        case = Xml.SubElement(suite, "testcase", classname=_text(test.place), name=_text(test.name))
        kind = {"worse": "failure", "inconclusive": "skipped", "none": "skipped"}.get(found.verdict)
        if kind is not None:
            Xml.SubElement(case, kind, message=_text(found.text))
        else:
            Xml.SubElement(case, "system-out").text = _text(found.text)
    for failure in outcome.failures:
        case = Xml.SubElement(suite, "testcase", classname=_text(failure.place), name=f"{_text(failure.side)} runs")
        Xml.SubElement(case, "error", message=_text(str(failure)))
    kinds = [child.tag for case in suite for child in case]
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(attribute, str(kinds.count(tag)))
    suite.set("tests", str(len(suite)))
    if outcome.link is not None:
        Xml.SubElement(suite, "system-out").text = _text(outcome.link)
    whole = Xml.Element("testsuites")
    whole.append(suite)
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + bytes(Xml.tostring(whole, encoding="utf-8"))


def _notes(outcome: GateOutcome) -> Iterator[str]:
    if outcome.state in (OUT_OF_BUDGET, STOPPED) and 0 < outcome.rounds < outcome.least_rounds:
        rounds = counted(outcome.rounds, "round")
        yield f"{rounds} cannot show a difference between that many tests, however large: {outcome.least_rounds} can."
    yield from outcome.remarks
    if outcome.link is not None:
        yield outcome.link


def _row(found: GateJudgement) -> str:
    verdict = f"{VERDICTS[found.verdict].sign} {found.verdict}"
    return f"{verdict} | {_cell(found.change)} | {_cell(found.interval)} | {found.rounds_seen}"


def _cell(text: str) -> str:
    """Text that cannot become markup: names are those of a file, and errors are the words of a program."""
    return re.sub(r"([\\`*_{}\[\]<>|#@!~])", r"\\\1", " ".join(text.split()))


def _text(text: str) -> str:
    return _NO_XML.sub("?", text)
