"""The outcome of a gate and its forms: lines, Markdown and JUnit."""

from typing import Any
from xml.etree import ElementTree as Xml

import pytest

from benchagent.client.gate import GateJudgement, GateTest
from benchagent.gate.outcome import GateFailure, GateOutcome
from benchagent.gate.printed import junit_of, lines_of, markdown_of

LINK = "https://bench.example.org/c/abcdefghijklmnop/"


def judged(name: str, verdict: str) -> tuple[GateTest, GateJudgement]:
    found = GateJudgement(verdict, 16, "−9.1 %|", "−10 % to\n−8 %", "−9.1 % | *worse*")
    return GateTest("ext4/iozone", name, "throughput", [1.0], [1.0]), found


def outcome(state: str, **changes: Any) -> GateOutcome:
    tests = [judged("read", "equivalent"), judged("write", "worse"), judged("rewrite", "inconclusive")]
    failures = [GateFailure("ext4/fio", "new", 2, 16, "fio: <No> space\x00 | left (exit code 1)")]
    fields: dict[str, Any] = {"tests": tests, "failures": failures, "link": LINK, **changes}
    return GateOutcome("barrier_patch", ("old", "new"), state, 16, **fields)


def test_markdown_has_the_worst_first_and_no_markup_of_others() -> None:
    lines = markdown_of(outcome("worse")).splitlines()

    assert (lines[0], lines[2]) == ("### barrier\\_patch: worse", "new is worse than old in 1 of 3 tests.")
    assert lines[6] == "| ext4/iozone write | ▼ worse | −9.1 %\\| | −10 % to −8 % | 16 |"
    assert [line.split(" ")[2] for line in lines[6:9]] == ["write", "rewrite", "read"]
    [failed] = [line for line in lines if line.startswith("- ✗")]
    assert failed.startswith("- ✗ ext4/fio: new failed in 2 of 16 rounds: fio: \\<No\\> space")
    assert lines[-1] == f"[The table with every round, the machine and the raw output]({LINK})"


def test_junit_has_a_case_for_each_test_and_failed_workload() -> None:
    suite = Xml.fromstring(junit_of(outcome("worse")))[0]

    assert {"tests": "4", "failures": "1", "errors": "1", "skipped": "1"}.items() <= suite.attrib.items()
    kinds = [(case.get("name"), case[0].tag) for case in suite.iter("testcase")]
    assert kinds == [("read", "system-out"), ("write", "failure"), ("rewrite", "skipped"), ("new runs", "error")]


@pytest.mark.parametrize(
    ("state", "changes", "sentence"),
    [
        ("passed", {"failures": []}, "new is not worse than old in any of 3 tests."),
        ("out of budget", {}, "1 of 3 tests undecided after 16 rounds."),
        ("out of budget", {"least_rounds": 20}, "16 rounds cannot show a difference between that many tests"),
        ("failed", {}, "1 workload failed or could not be measured."),
        ("stopped", {"tests": [], "failures": []}, "Stopped after 16 rounds."),
    ],
)
def test_lines_say_the_outcome(state: str, changes: dict[str, Any], sentence: str) -> None:
    assert sentence in "\n".join(lines_of(outcome(state, **changes)))
