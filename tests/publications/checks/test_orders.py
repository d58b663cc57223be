"""Claims that one run is better than another throughout."""

from __future__ import annotations

import pytest

from benchdb.publications.checks import ArticleFinding, computed
from benchdb.publications.data_files import FaultyArticle

from .articles import article

TABLES = """
slug = "small"
environment.cpu.cores = 2
[runs.ext3]
[runs.ext4]
[[tables]]
key = "speeds"
metric = "throughput"
unit = "KiB/s"
columns = [{label = "read", test = "read"}, {label = "write", test = "write"}]
[[tables.rows]]
label = "ext3"
run = "ext3"
cells = ["100", "100"]
[[tables.rows]]
label = "ext4"
run = "ext4"
cells = ["200", "90"]
"""


def checked(claim: str) -> ArticleFinding:
    place = 'section = "", line = 7, quote = "ext4 is faster"'
    (found,) = computed(article(tables=TABLES, orders=f"{{{claim}, metric = 'throughput', {place}}}"))
    return found


def test_an_exception_is_named() -> None:
    found = checked("better = 'ext4', than = 'ext3'")
    assert (found.check, found.subject, found.agrees) == ("order", "order of ext4 and ext3", False)
    assert found.text == "ext4 is better than ext3 in 1 of 2 figures, not in ext4, write 90 against 100."
    assert found.statements[0] == "ext4 before ext3, line 7: “ext4 is faster”"


@pytest.mark.parametrize(("test", "agrees"), [("read", True), ("write", False)])
def test_a_claim_about_some_tests(test: str, agrees: bool) -> None:
    assert checked(f"better = 'ext4', than = 'ext3', tests = ['{test}']").agrees is agrees


@pytest.mark.parametrize(("tests", "agrees"), [("['read', 'write']", False), ("['read']", True)])
def test_a_claim_in_general_holds_for_more_than_half(tests: str, agrees: bool) -> None:
    assert checked(f"better = 'ext4', than = 'ext3', mostly = true, tests = {tests}").agrees is agrees


def test_a_claim_about_no_figures_is_a_fault_of_the_file() -> None:
    with pytest.raises(FaultyArticle, match="ext4 and ext3 have no figures in common"):
        checked("better = 'ext4', than = 'ext3', tests = ['reread']")
