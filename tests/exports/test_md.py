"""Markdown, read back by a CommonMark parser with GitHub's tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from markdown_it import MarkdownIt
from markdown_it.token import Token

from benchdb.exports import md
from benchdb.exports.text import clean
from tests.support.exported import (
    ADDRESS,
    FROZEN,
    HOSTILE,
    KINDS,
    LIVE,
    a_table,
    a_table_with_failures,
    saying,
    two_surfaces,
)


def tokens(text: str) -> list[Token]:
    return MarkdownIt("gfm-like", {"html": True, "linkify": False}).parse(text)


def tables(text: str) -> list[list[list[str]]]:
    """Every table, row by row; a cell is its text without markup."""
    found: list[list[list[str]]] = []
    inside = False
    for token in tokens(text):
        if token.type == "table_open":
            found.append([])
        elif token.type == "tr_open":
            found[-1].append([])
        elif token.type in ("th_open", "td_open"):
            inside = True
        elif token.type in ("th_close", "td_close"):
            inside = False
        elif token.type == "inline" and inside:
            found[-1][-1].append(said(token))
    return found


def said(inline: Token) -> str:
    return "".join(token.content for token in inline.children or [])


def test_a_table_comes_back(owner: User) -> None:
    small, large = tables(md.export(a_table(owner), FROZEN))

    assert small == large
    assert small[0] == ["File system", "Write (MiB/s ↑)", "Read (MiB/s ↑)"]
    assert small[1][:2] == ["ext4 (baseline)", "100.00 ± 0.44"]
    assert small[2][1] == "120.00 ± 0.53 ▲ +20.0 %"
    assert small[3][1] == "101.00 ± 0.45 ≈"


def test_the_best_is_bold(owner: User) -> None:
    assert "**120.00** ± 0.53" in md.export(a_table(owner), FROZEN)


def test_it_says_where_it_comes_from_and_how_it_was_made(owner: User) -> None:
    text = md.export(a_table(owner), FROZEN)

    assert f"<{ADDRESS}>" in text
    assert "Frozen: the numbers at this address do not change." in text
    assert "1 MiB records, n = 6 rounds" in text
    assert "Welch's t test on logarithms" in text
    assert "Benjamini and Hochberg" in text
    assert "within ± 5 %" in text
    assert "statistics version 2" in text
    assert "Against ext4: ▲ better, ≈ equivalent." in text


def test_a_live_table_says_that_it_may_change(owner: User) -> None:
    assert "Live, not frozen" in md.export(a_table(owner), LIVE)


def test_failed_and_cached_cells_say_so(owner: User) -> None:
    text = md.export(a_table_with_failures(owner), FROZEN)

    assert "No space left on device" in text
    assert "too fast" in text
    assert "n = 1 RAM" in text
    assert "RAM: measured memory, not the device." in text


def test_two_surfaces_and_their_ratio(owner: User) -> None:
    first, second, ratio = tables(md.export(two_surfaces(owner), FROZEN))

    assert first[0][1] == "4 KiB (MiB/s ↑)"
    assert len(first) == len(second) == len(ratio) == 4
    assert ratio[1][1] == "1.000 ≈"
    assert ratio[1][3] == ""


@pytest.mark.parametrize("words", HOSTILE)
@pytest.mark.parametrize("kind", KINDS)
def test_words_stay_words(owner: User, kind: Callable[[User], dict[str, Any]], words: str) -> None:
    plain = kind(owner)
    text = md.export(saying(plain, words), FROZEN)

    found = tokens(text)
    inlines = [token for token in found if token.type == "inline"]
    assert clean(words).strip() in said(inlines[0])
    assert [token.type for token in found if token.type.startswith(("html", "code", "fence"))] == []
    children = [child for token in inlines for child in token.children or []]
    assert {child.type for child in children} <= {
        "text", "text_special", "strong_open", "strong_close", "link_open", "link_close",
    }  # fmt: skip
    assert [child.attrs["href"] for child in children if child.type == "link_open"] == [ADDRESS]
    shape = [[len(row) for row in table] for table in tables(md.export(plain, FROZEN))]
    assert [[len(row) for row in table] for table in tables(text)] == shape
