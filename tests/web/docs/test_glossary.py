"""The glossary: one short text for each word of the pages."""

from __future__ import annotations

from itertools import pairwise

import pytest

from benchagent.verdicts import VERDICTS
from benchdb.stats.comparing.verdict import Verdict
from benchdb.web.docs.files import files
from benchdb.web.docs.library import find
from tests.docs import pages as sources

SOURCE = files()["glossary"]
MOST_SENTENCES = 4


def entries() -> dict[str, str]:
    """The text of each entry by its heading."""
    tokens = [token for token in sources.tokens(SOURCE) if token.type in ("heading_open", "inline")]
    found: dict[str, str] = {}
    for before, token in pairwise(tokens):
        if token.type == "inline" and before.type == "heading_open" and before.tag == "h3":
            found[token.content] = ""
        elif token.type == "inline" and before.type == "inline" and found:
            found[[*found][-1]] += token.content
    return found


@pytest.mark.parametrize("word", entries())
def test_an_entry_is_short(word: str) -> None:
    text = entries()[word].replace("\n", " ")
    assert 0 < text.count(". ") + text.endswith(".") <= MOST_SENTENCES


def test_every_verdict_has_an_entry() -> None:
    page = find("glossary")
    assert page is not None
    anchors = {word for heading in page.contents for word in heading.anchor.split("-")}
    assert {word for verdict in Verdict for word in VERDICTS[verdict.value].word.split()} <= anchors
    assert "no-verdict" in {heading.anchor for heading in page.contents}
