"""JUnit: verdicts as test cases."""

from xml.etree.ElementTree import Element, fromstring

import pytest
from django.contrib.auth.models import User

from benchdb.compare.query.selection import Selection
from benchdb.compare.table.evaluate import evaluate
from benchdb.exports.formats import FORMATS
from benchdb.wording.clean import clean
from tests.support.comparing.comparisons import compared_runs, ids
from tests.support.comparing.exported import FROZEN, HOSTILE, KINDS, Kind, a_table, a_table_with_failures, saying
from tests.support.documents import MIB


def suite_of(written: object) -> Element:
    assert isinstance(written, bytes)
    root = fromstring(written)
    [suite] = root
    for name in ("tests", "failures", "errors", "skipped"):
        assert root.get(name) == suite.get(name)
    return suite


def test_worse_fails_and_better_and_equivalent_pass(owner: User) -> None:
    runs = compared_runs(owner, {"ext4": 100 * MIB, "xfs": 80 * MIB, "btrfs": 100.5 * MIB})
    table = evaluate(Selection.parse(f"{ids(runs)}&rows=file_system&columns=test"), owner)[0]

    suite = suite_of(FORMATS["junit"].export(table, FROZEN))

    states = {(case.get("name"), case.get("classname")): [each.tag for each in case] for case in suite.iter("testcase")}
    assert states == {
        ("xfs", "Write · throughput"): ["failure"],
        ("xfs", "Read · throughput"): ["failure"],
        ("btrfs", "Write · throughput"): [],
        ("btrfs", "Read · throughput"): [],
    }
    [failure, _] = suite.iter("failure")
    assert str(failure.get("message")).startswith("Worse: 20")
    assert FROZEN.address in str(failure.text)
    assert (suite.get("tests"), suite.get("failures")) == ("4", "2")


def test_what_failed_is_an_error_and_what_nobody_judged_is_skipped(owner: User) -> None:
    suite = suite_of(FORMATS["junit"].export(a_table_with_failures(owner), FROZEN))

    assert "No space left on device" in [error.get("message") for error in suite.iter("error")]
    assert int(str(suite.get("skipped"))) == len(list(suite.iter("skipped")))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_gives_a_suite(owner: User, kind: Kind) -> None:
    suite = suite_of(FORMATS["junit"].export(kind(owner), FROZEN))

    assert len(suite.findall("testcase")) == int(str(suite.get("tests")))


@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_words_stay_words(owner: User, words: str) -> None:
    suite = suite_of(FORMATS["junit"].export(saying(a_table(owner), words), FROZEN))

    assert suite.get("name") == clean(words)
