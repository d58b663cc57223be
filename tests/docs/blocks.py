"""The blocks of code of a page, found by Sybil: each with its language, the words behind it, and why it is left out.

```console figures          what stands behind the language are `words`
<!-- skip: next "reason" -->    on the line before a block: the block is only checked for its form
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest import SkipTest

from sybil import Document, Example, Region, Sybil
from sybil.parsers.markdown import SkipParser
from sybil.parsers.markdown.lexers import FencedCodeBlockLexer

from tests.docs.pages import name

_fenced = FencedCodeBlockLexer(r"[^\n]*")


@dataclass(frozen=True)
class Block:
    """A block of a page. `reason`: why it cannot run here, or None; `words`: what stands behind the language."""

    page: Path
    line: int
    language: str
    words: str
    text: str
    reason: str | None = None

    @property
    def place(self) -> str:
        return f"{name(self.page)}:{self.line}"


def _parse(document: Document) -> Iterator[Region]:
    for region in _fenced(document):
        language, _, words = region.lexemes["language"].strip().partition(" ")
        yield Region(region.start, region.end, (language, words.strip(), str(region.lexemes["source"])), _found)


def _found(example: Example) -> None:
    """A block that is not skipped; whoever asks for the blocks runs it."""


def blocks(page: Path) -> list[Block]:
    """The blocks of a page, in their order."""
    found = []
    for example in Sybil(parsers=[_parse, SkipParser()]).parse(page):
        reason = None
        try:
            example.evaluate()
        except SkipTest as skipped:
            reason = str(skipped)
        if example.region.evaluator is _found:
            found.append(Block(page, example.line, *example.parsed, reason))
    return found


COMMAND = re.compile(
    r"^(?:\$ |(?:sudo )?(?:make|curl|git|docker|cd|export|benchagent|python3?|\.venv/\S+|manage\.py) )"
)


def has_command(text: str) -> bool:
    """Whether a line of a text looks like something to type into a shell."""
    return any(COMMAND.match(line.strip()) for line in text.splitlines())
