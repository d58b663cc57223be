"""The code blocks of a page, found by Sybil, with their language, words, and the reason for leaving one out.

```console figures          the words after the language are `words`
<!-- skip: next "reason" -->    on the line before a block: only the block's form is checked
"""

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
    """A block of a page. `reason`: why it cannot run here, or None; `words`: the words after the language."""

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
    """Mark a block that is not skipped. Callers run it."""


def blocks(page: Path) -> list[Block]:
    """The blocks of a page in their order."""
    result = []
    for example in Sybil(parsers=[_parse, SkipParser()]).parse(page):
        reason = None
        try:
            example.evaluate()
        except SkipTest as skipped:
            reason = str(skipped)
        if example.region.evaluator is _found:
            result.append(Block(page, example.line, *example.parsed, reason))
    return result


COMMAND = re.compile(
    r"^(?:\$ |(?:sudo )?(?:make|curl|git|docker|cd|export|benchagent|python3?|\.venv/\S+|manage\.py) )"
)


def has_command(text: str) -> bool:
    """Whether a line of a text looks like a shell command."""
    return any(COMMAND.match(line.strip()) for line in text.splitlines())
