"""TSV: every line of the file is a line of the table, for readers with and without support for quotes."""

import csv
import re
from collections.abc import Iterable
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchdb.compare.content import Content
from benchdb.exports.formats import csv as csv_format
from benchdb.exports.formats import tsv
from benchdb.exports.origin import Origin
from benchdb.exports.text.lines import SHAPES
from benchdb.wording.formulas import FORMULA
from tests.support.comparing.comparisons import compared_runs, ids
from tests.support.comparing.exported import ADDRESS, HOSTILE, a_table, saying


def read(pieces: Iterable[str]) -> list[list[str]]:
    return list(csv.reader(StringIO("".join(pieces), newline=""), csv.excel_tab, strict=True))


@pytest.mark.parametrize("shape", SHAPES)
def test_it_holds_what_csv_holds(owner: User, shape: str) -> None:
    content, origin = a_table(owner), Origin(ADDRESS, frozen=True, shape=shape)

    rows = list(csv.reader(StringIO("".join(csv_format.export(content, origin)), newline="")))

    assert read(tsv.export(content, origin)) == rows


def test_it_is_served_as_such(client: Client, owner: User) -> None:
    answer = client.get(f"/compare/table.tsv?{ids(compared_runs(owner))}&shape=wide")

    assert answer["Content-Type"] == "text/tab-separated-values; charset=utf-8"
    assert answer["Content-Disposition"] == 'inline; filename="benchdb-compare-wide.tsv"'


@pytest.mark.parametrize("words", HOSTILE)
def test_words_are_no_formula_and_break_no_line(owner: User, words: str) -> None:
    check(a_table(owner), words)


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\u0085", "\v", "\f", "\xa0"])
def test_a_formula_behind_white_space_is_none(owner: User, mark: str) -> None:
    check(a_table(owner), f"{mark}=1+1")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(words=st.text(st.characters(codec="utf-8"), min_size=1))
def test_any_words(content: Content, words: str) -> None:
    check(content, words)


def without_quotes(text: str) -> str:
    """The text without a quote at its start, or before a formula after a semicolon or white space."""
    return re.sub(r"(?<=[;\s])'(?=[=+\-@＝＋－＠])", "", text.lstrip("'"))


def check(content: Content, words: str) -> None:
    text = "".join(tsv.export(saying(content, words), Origin(ADDRESS, frozen=True)))
    rows = read(text)

    assert len({len(row) for row in rows}) == 1
    assert len(text.splitlines()) == len(rows)
    assert {line.count("\t") for line in text.splitlines()} == {len(rows[0]) - 1}
    assert without_quotes(rows[1][1]).split() == without_quotes(words).split()
    assert not any(value.lstrip().startswith(FORMULA) for row in rows for value in row)


@pytest.fixture
def content(owner: User) -> Content:
    return a_table(owner)
