"""What the checks find in the articles, and the notes that they confirm."""

from __future__ import annotations

import pytest

from benchdb.publications.checks import ArticleFinding, computed, is_about, notes
from benchdb.publications.checks.statements import entries
from benchdb.publications.data_files import Article, FaultyArticle, read, slugs
from benchdb.publications.models import Publication
from benchdb.publications.places import MOST_WORDS
from tests.plugins.missing import require
from tests.publications.test_places import lines_of

pytestmark = pytest.mark.django_db

NOTE = 'slug = "small"\n[[notes]]\nkey = "n"\nwhere = "Text"\nprinted = "1"\nsays = "2"\n'


def small(text: str) -> Article:
    return read("small", NOTE + text)


def finding(check: str, subject: str, agrees: bool) -> ArticleFinding:
    return ArticleFinding(check, subject, f"{subject}: so", agrees, ("one", "two"))


def test_a_note_names_the_checks_that_contradict_the_article_and_what_they_compared() -> None:
    findings = [finding("clock", "a", False), finding("cache", "b / c", False), finding("figures", "a", True)]

    (note,) = notes(small('about = ["a", "b / *"]'), findings)

    assert (note["found_by"], note["remark"]) == (["cache", "clock"], False)
    assert note["findings"] == [
        {"text": "a: so", "statements": ["one", "two"]},
        {"text": "b / c: so", "statements": ["one", "two"]},
    ]


def test_a_note_about_one_check_of_a_subject() -> None:
    (note,) = notes(small('about = ["clock: a"]'), [finding("clock", "a", False), finding("cache", "a", False)])
    assert note["found_by"] == ["clock"]


@pytest.mark.parametrize("about", ["remark = true", 'about = ["a"]\nremark = true'])
def test_a_note_that_no_check_found_was_read_by_hand(about: str) -> None:
    (note,) = notes(small(about), [finding("clock", "a", True)])
    assert (note["found_by"], note["remark"]) == (["hand"], True)


def test_a_note_about_what_no_check_looks_at_is_a_fault_of_the_file() -> None:
    with pytest.raises(FaultyArticle, match="note n: no check looks at nothing"):
        notes(small('about = ["nothing"]'), [])


@pytest.mark.parametrize("slug", slugs())
def test_a_statement_quotes_the_line_that_says_its_value(slug: str) -> None:
    require("../shared/seeds/*.txt")
    lines, text = lines_of(slug), read(slug).facts["text"]

    for entry in [*text["statements"], *text.get("orders", [])]:
        assert len(entry["quote"].split()) <= MOST_WORDS, entry
        assert entry["quote"] in lines[entry["line"] - 1], entry


FOUND = {
    "iozone-2009": {"records-of-1k": ("size arithmetic", 1), "third-record-size": ("stated twice", 1)},
    "raid-2009": {"all-data": ("sum", 1), "directories-of-directories": ("size arithmetic", 1)},
    "ffsb-2007": {"profile-time": ("size arithmetic", 6)},
    "comparison-2024": {
        "megabits": ("size arithmetic", 4),
        "rate-of-ext4": ("size arithmetic", 1),
        "share": ("percentage", 1),
        "timespan": ("unit arithmetic", 1),
        "references": ("stated twice", 1),
    },
    "t2-2008": {"disk": ("model name", 1)},
}


@pytest.mark.parametrize("slug", FOUND)
def test_the_contradictions_of_an_article_and_who_found_them(loaded: dict[str, Publication], slug: str) -> None:
    found = {
        note["key"]: (", ".join(note["found_by"]), len(note["findings"]))
        for note in loaded[slug].notes
        if not note["remark"]
    }
    assert found == FOUND[slug]


@pytest.mark.parametrize("slug", FOUND)
def test_whatever_a_check_contradicts_has_a_note(loaded: dict[str, Publication], slug: str) -> None:
    patterns = [pattern for note in read(slug).facts["notes"] for pattern in note.get("about", [])]
    against = [ArticleFinding(**each) for each in loaded[slug].findings if not each["agrees"]]
    assert not [each for each in against if not any(is_about(each, pattern) for pattern in patterns)]


def test_every_contradiction_is_found_by_arithmetic_and_names_what_it_used(loaded: dict[str, Publication]) -> None:
    contradictions = [note for each in loaded.values() for note in each.notes if not note["remark"]]
    found = [finding for note in contradictions for finding in note["findings"]]
    assert (len(contradictions), len({each["text"] for each in found})) == (11, 19)  # as docs/publications.md says
    assert all(len(set(each["statements"])) > 1 for each in found)


def test_how_many_values_are_compared_and_how_many_differ() -> None:
    compared = [finding for slug in slugs() for finding in computed(read(slug))]
    assert len(compared) > 300  # as docs/publications.md says: 19 contradictions and 27 remarks
    assert sum(not finding.agrees for finding in compared) == 19 + 27


def test_no_comparison_is_entered_by_hand() -> None:
    keys = {key for slug in slugs() for entry in entries(read(slug)) for key in entry}
    assert not keys & {"left", "right", "relation", "agrees"}
