"""The checks that find contradictions in an article, and the notes that they confirm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from benchdb.publications.checks import ArticleFinding, notes
from benchdb.publications.checks.figures import time_of_run, twice_printed
from benchdb.publications.checks.statements import statements
from benchdb.publications.data_files import Article, FaultyArticle, read
from benchdb.publications.models import Publication

pytestmark = pytest.mark.django_db

TABLE = """
slug = "small"
same = [["coarse", "fine"]]
[runs.coarse]
[runs.fine]
[[tables]]
key = "seeks"
test = "random_seek"
metric = "rate"
unit = "op/s"
columns = [{label = "rounded", run = "coarse"}, {label = "line", run = "fine"}]
[[tables.rows]]
label = "xfs"
cells = ["275", "275.6"]
"""


def article(text: str = "") -> Article:
    return read("small", TABLE + text)


def statement(left: Sequence[str], right: Sequence[str], **others: Any) -> ArticleFinding:
    fields = {"id": "it", "check": "size arithmetic", "says": "it is so", "left": list(left), "right": list(right)}
    lines = [f"{name} = {value!r}" for name, value in {**fields, **others}.items()]
    (found,) = statements(article("\n".join(["[[statements]]", *lines])))
    return found


@pytest.mark.parametrize(
    ("left", "relation", "right", "agrees"),
    [
        (["16G", "/", "1K"], "=", ["1,000,000"], False),
        (["16G", "/", "1K"], "=", ["16,777,216"], True),
        (["13", "*", "10", "*", "4"], "=", ["520"], True),
        (["1466577 KiB/s"], "=", ["1466 MB/s"], False),
        (["64", "*", "1G"], "<=", ["68GB"], False),
        (["64", "*", "1G"], "<=", ["68 GiB"], True),
        (["64G"], ">", ["64G"], False),
        (["seeks | xfs | line", "-", "seeks | xfs | rounded"], ">=", ["0.6"], True),
        (["4m42.252s"], "<", ["300 s"], True),
    ],
)
def test_arithmetic(left: list[str], relation: str, right: list[str], agrees: bool) -> None:
    assert statement(left, right, relation=relation).agrees is agrees


@pytest.mark.parametrize(("within", "agrees"), [(0.03, True), (0.02, False)])
def test_as_close_as_the_statement_says(within: float, agrees: bool) -> None:
    assert statement(["1024"], ["1000"], within=within).agrees is agrees


def test_a_finding_says_both_sides_and_how_far_apart_they_are() -> None:
    assert statement(["16G", "/", "1K"], ["1,000,000"]).text == "it is so: 16,777,216 against 1,000,000 (16.78 times)."
    assert statement(["590"], ["1000"]).text == "it is so: 590 against 1,000 (-41.0 %)."


@pytest.mark.parametrize(
    ("left", "why"),
    [
        (["much"], "no number"),
        (["1", "%", "2"], "KeyError"),
        (["1", "/", "0"], "DivisionByZero"),
        (["seeks | xfs | none"], "there is no figure"),
        (["1", "*"], "shorter"),
    ],
)
def test_a_statement_that_cannot_be_worked_out_is_a_fault_of_the_file(left: list[str], why: str) -> None:
    with pytest.raises(FaultyArticle, match=f"small.toml, statement it: .*{why}"):
        statement(left, ["1"])


@pytest.mark.parametrize(("memory", "agrees"), [("10G", False), ("1K", True)])
def test_cache_verdict_of_a_stated_workload(memory: str, agrees: bool) -> None:
    sizes = {"access": "read", "working_set": ["1000", "*", "1K"], "memory": [memory]}
    found = statement([], [], **{**sizes, "check": "cache"})
    assert (found.check, found.agrees) == ("cache", agrees)


@pytest.mark.parametrize(("speed", "agrees"), [("8608748 KiB/s", False), ("100000 KiB/s", True)])
def test_clock_verdict_of_a_stated_speed(speed: str, agrees: bool) -> None:
    found = statement([], [], check="clock", moved=["64K"], speed=[speed], tick=1e-6)
    assert (found.check, found.agrees) == ("clock", agrees)


@pytest.mark.parametrize(("exact", "agrees"), [(275.4, True), (275.6, False), (274.5, True), (274.4, False)])
def test_a_rounded_figure_beside_the_one_it_was_taken_from(exact: float, agrees: bool) -> None:
    line = {"test": "random_seek", "metric": "rate", "summary": {"mean": exact}}
    (found,) = twice_printed(article(), {"fine": [line]})
    assert (found.subject, found.agrees) == ("figures:coarse:random_seek", agrees)


@pytest.mark.parametrize(("seconds", "agrees"), [("10", True), ("9", False)])
def test_a_run_takes_no_less_time_than_its_tests(seconds: str, agrees: bool) -> None:
    text = f"""
    [[tables]]
    key = "time"
    run = "fine"
    columns = [{{label = "time", test = "run", metric = "elapsed", unit = "s"}},
               {{label = "write", test = "write", metric = "throughput", unit = "MiB/s", file_size = "1000M"}}]
    [[tables.rows]]
    label = "xfs"
    cells = ["{seconds}", "100"]
    """
    (result,) = time_of_run(article(text))
    assert (result.subject, result.agrees) == ("time:fine", agrees)


NOTE = '[[notes]]\nkey = "n"\nwhere = "Text"\nprinted = "1"\nsays = "2"\n'


def finding(check: str, subject: str, agrees: bool) -> ArticleFinding:
    return ArticleFinding(check, subject, "", agrees)


def test_a_note_names_the_checks_that_contradict_the_article() -> None:
    findings = [finding("clock", "a", False), finding("cache", "b", False), finding("figures", "a", True)]
    (note,) = notes(article(f'{NOTE}about = ["a", "b"]'), findings)
    assert note == {"key": "n", "where": "Text", "printed": "1", "says": "2", "found_by": ["cache", "clock"]}


@pytest.mark.parametrize("about", ["", 'about = ["a"]'])
def test_a_note_that_no_check_found_was_read_by_hand(about: str) -> None:
    (note,) = notes(article(NOTE + about), [finding("clock", "a", True)])
    assert note["found_by"] == ["hand"]


def test_a_note_about_what_no_check_looks_at_is_a_fault_of_the_file() -> None:
    with pytest.raises(FaultyArticle, match="note n: no check looks at nothing"):
        notes(article(f'{NOTE}about = ["nothing"]'), [])


FOUND = {
    "iozone-2009": {
        "records-of-1k": ["size arithmetic"],
        "third-record-size": ["size arithmetic"],
        "cached-record-rewrite": ["cache"],
        "strided-read": ["unit arithmetic"],
    },
    "raid-2009": {
        "rounded": ["figures"],
        "one-tick": ["clock"],
        "random-seeks": ["cache"],
        "all-data": ["size arithmetic"],
        "colours": ["hand"],
    },
    "ffsb-2007": {"profile-time": ["size arithmetic"], "half-the-cpu": ["unit arithmetic"]},
    "comparison-2024": {
        "megabits": ["unit arithmetic"],
        "rate-of-ext4": ["unit arithmetic"],
        "kb-and-mb": ["unit arithmetic"],
        "share": ["unit arithmetic"],
        "twice-the-memory": ["size arithmetic"],
        "filebench-cached": ["cache"],
        "clock": ["clock"],
        "versions": ["hand"],
    },
    "t2-2008": {"disk": ["size arithmetic"]},
}


@pytest.mark.parametrize("slug", FOUND)
def test_what_was_found_in_the_articles_and_by_which_check(loaded: dict[str, Publication], slug: str) -> None:
    found = {note["key"]: note["found_by"] for note in loaded[slug].notes}
    assert found | FOUND[slug] == found
    assert len(found) == len(loaded[slug].notes)


@pytest.mark.parametrize("slug", FOUND)
def test_whatever_a_check_contradicts_has_a_note(loaded: dict[str, Publication], slug: str) -> None:
    told = {subject for note in read(slug).facts["notes"] for subject in note.get("about", [])}
    against = {each["subject"] for each in loaded[slug].findings if not each["agrees"]}
    assert against <= told
