"""Every stored fact of an article has its place in the text, and the article says there what is stored."""

import re
from collections.abc import Iterator

import pytest

from benchdb.publications.data_files import FaultyArticle, read, slugs
from benchdb.publications.documents import documents
from benchdb.publications.places import MOST_WORDS, Facts, place_of
from tests.plugins.missing import require
from tests.publications.crude import TEXTS

WORDS = {
    "iozone-2009": "I Feel the Need for Speed",
    "raid-2009": "Infortrend EonStor",
    "ffsb-2007": "Large File Sequential Write",
    "comparison-2024": "Moro Bamber",
    "t2-2008": "Linux filesystem benchmark 2008/1",
}
# What a quote says in other words than the stored value.
MEANINGS = {
    ("False", "directio=0"),
    ("True", "10 000rpm"),
    ("True", "automatic mode"),
    ("raid6", "RAID-6"),
    ("3.414", "3_414"),
    ("Geriatrix", "Geratrix"),
    ("oracle", "Oracle"),
    ("mean of all sizes", "average"),
    ("mean of files over 64 GB", "greater than 64 GB averaging"),
}
NUMBERS = {"one": 1, "bi": 2, "dual": 2, "two": 2, "four": 4, "five": 5, "discarding the first": 1}
SCALES = (1, *(base**power for base in (1000, 1024) for power in (1, 2, 3, 4)))


def lines_of(slug: str) -> list[str]:
    """The lines of the article, counted as editors count them, without differences of white space."""
    (path,) = (path for path in TEXTS.glob("*.txt") if WORDS[slug] in path.read_text(encoding="utf-8"))
    return [" ".join(line.split()) for line in path.read_text(encoding="utf-8").split("\n")]


def places_of(slug: str) -> Iterator[Facts]:
    """The places of all facts, statements and claims about an order."""
    article = read(slug)
    yield from (place for fact in article.sourced for place in fact["places"])
    yield from map(place_of, article.facts["text"]["statements"] + article.facts["text"].get("orders", []))


@pytest.mark.parametrize("slug", slugs())
def test_a_quote_is_in_its_line_and_its_section_is_the_heading_above(slug: str) -> None:
    require("../shared/seeds/*.txt")
    lines, places = lines_of(slug), list(places_of(slug))
    headings = {place["section"] for place in places} - {""}

    for place in places:
        assert 0 < len(place["quote"].split()) <= MOST_WORDS, place
        assert place["quote"] in lines[place["line"] - 1], place
        assert ([line for line in lines[: place["line"]] if line in headings] or [""])[-1] == place["section"], place


def said(value: object, quotes: str) -> bool:
    """Whether these quotes say the value: its words, or its number in some unit."""
    if any(str(value) == stored and words in quotes for stored, words in MEANINGS):
        return True
    if isinstance(value, list | tuple):
        return all(said(each, quotes) for each in value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        numbers = [float(number) for number in re.findall(r"\d+(?:\.\d+)?", quotes)]
        numbers += [number for word, number in NUMBERS.items() if word in quotes]
        return any(value in (number * scale, number / 100) for number in numbers for scale in SCALES)
    squeezed = re.sub(r"[^a-z0-9]", "", quotes.casefold())
    return all(re.sub(r"[^a-z0-9]", "", word) in squeezed for word in str(value).casefold().split())


def published(slug: str) -> list[Facts]:
    """The facts that the article says itself, without its title, which we shorten."""
    return [fact for fact in read(slug).sourced if not fact["inferred"] and fact["name"] not in ("title", "date")]


@pytest.mark.parametrize("slug", slugs())
def test_what_is_marked_as_published_is_in_the_quoted_words(slug: str) -> None:
    unsaid = [
        fact
        for fact in published(slug)
        if not said(fact["value"], " ".join(place["quote"] for place in fact["places"]))
    ]
    assert not unsaid


def test_a_value_that_the_words_do_not_say_is_found() -> None:
    assert said(2 << 30, "2G of RAM")
    assert not said(4, "bi-Xeon machine with 2G of RAM")
    assert said("ext4", "ext4o (barrier=1)")
    assert not said("x86_64", "AMD Phenom II X4 920")


@pytest.mark.parametrize("slug", [slug for slug in slugs() if slug != "t2-2008"])
def test_runs_have_only_facts_of_their_data_file_and_what_is_not_said_is_null(slug: str) -> None:
    for key, document in documents(read(slug)).items():
        for section in ("environment", "target"):
            provenance = document[section]["provenance"]
            assert set(provenance.values()) <= {"published", "inferred"}
            for name, value in document[section].items():
                known = [pointer for pointer in provenance if pointer.startswith(f"/{name}")]
                assert bool(known) == bool(_known(value)) or name in ("kind", "provenance"), (key, name)
        assert document["protocol"]["order"] is None
        assert document["workload"]["command"] == [] or slug in ("iozone-2009", "raid-2009")


def _known(value: object) -> bool:
    if isinstance(value, dict):
        return any(map(_known, value.values()))
    return any(map(_known, value)) if isinstance(value, list) else value is not None


SMALL = """
slug = "small"
date = 2009-01-01
environment.memory.total = 8
[text]
facts = [
  {section = "", line = 3, quote = "of 2009", of = ["date"]},
  {section = "", line = 4, quote = "8 bytes", of = ["environment.*"]},
]
"""


def test_places_are_part_of_the_file() -> None:
    memory = next(fact for fact in read("small", SMALL).sourced if fact["name"] == "environment.memory.total")
    assert [memory["value"], memory["provenance"], *memory["places"][0].values()] == [8, "published", "", 4, "8 bytes"]


@pytest.mark.parametrize(
    ("before", "after", "said_of_it"),
    [
        ("total = 8", "total = 8\nenvironment.cpu.model = 'x'\ntarget.kind = 'device'\nyear = 9", "no place for year"),
        ('"date"', '"dates"', "no place for date; no fact dates"),
    ],
)
def test_a_fact_without_a_place_and_a_place_of_no_fact_are_faults(before: str, after: str, said_of_it: str) -> None:
    with pytest.raises(FaultyArticle, match=f"small.toml: {said_of_it}$"):
        read("small", SMALL.replace(before, after))
