"""BBCode, read back by a strict reader: every tag is known, opened and closed in order."""

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from benchdb.compare.content import Content
from benchdb.exports.formats import bb
from benchdb.wording.clean import clean
from tests.support.comparing.exported import ADDRESS, FROZEN, HOSTILE, KINDS, a_table, saying
from tests.texts import missing_in

TAG = re.compile(r"\[(/?)(\*|[a-z]+)([^\]\u200b]*)\]")
KNOWN = ("b", "i", "url", "table", "tr", "th", "td", "list")


def tags(text: str) -> list[str]:
    """The names of all opening tags; fails if they are not nested, unknown or have a parameter."""
    opened: list[str] = []
    names = []
    for closing, name, parameter in TAG.findall(text):
        assert parameter == ""
        if name == "*":
            assert opened[-1] == "list"
        elif closing:
            assert opened.pop() == name
        else:
            assert name in KNOWN
            opened.append(name)
            names.append(name)
    assert opened == []
    return names


def rows(text: str) -> list[list[str]]:
    return [re.findall(r"\[t[hd]\](.*?)\[/t[hd]\]", row) for row in re.findall(r"\[tr\](.*?)\[/tr\]", text)]


def test_a_table_comes_back(owner: User) -> None:
    text = bb.export(a_table(owner), FROZEN)

    assert rows(text)[0] == ["File system", "Write (MiB/s ↑)", "Read (MiB/s ↑)"]
    assert rows(text)[2][:2] == ["xfs", "[b]120.00[/b] ± 0.53 ▲ 20.0 % faster"]
    assert tags(text).count("table") == 2
    assert not missing_in(text, f"[url]{ADDRESS}[/url]", "Best of its column, or tied for it: bold.")


@pytest.mark.parametrize("words", HOSTILE)
@pytest.mark.parametrize("kind", KINDS)
def test_words_stay_words(owner: User, kind: Callable[[User], Content], words: str) -> None:
    plain = kind(owner)

    text = bb.export(saying(plain, words), FROZEN)

    assert [len(row) for row in rows(text)] == [len(row) for row in rows(bb.export(plain, FROZEN))]
    assert tags(text).count("url") == 1
    assert clean(words) in text.replace("\u200b", "")
    assert re.findall(r"https?://[^\s\[]+", text) == [ADDRESS]
