"""The pages of the documentation and their parts."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parents[2]
INDEX = ROOT / "docs" / "README.md"
PAGES = [
    *(ROOT / "README.md", ROOT / "CONTRIBUTING.md"),
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "agents" / "engine" / "README.md",
]
_markdown = MarkdownIt("commonmark").enable("table")


def name(page: Path) -> str:
    """The name of a page in tests: its path in the clone."""
    return page.relative_to(ROOT).as_posix()


@cache
def tokens(page: Path) -> list[Token]:
    """The parsed page, one level deep."""
    return _markdown.parse(page.read_text())


def inline(page: Path) -> Iterator[Token]:
    """The content of paragraphs, headings and cells."""
    return (child for token in tokens(page) for child in token.children or ())


def anchors(page: Path) -> set[str]:
    """The anchors of headings as forges make them: letters, digits, hyphens; a second heading NAME becomes NAME-1."""
    counts: dict[str, int] = {}
    for before, token in zip(tokens(page), tokens(page)[1:], strict=False):
        if before.type == "heading_open":
            text = "".join(child.content for child in token.children or ())
            slug = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
            counts[f"{slug}-{counts[slug]}" if slug in counts else slug] = 0
            counts[slug] += 1
    return set(counts)


def links(page: Path) -> Iterator[str]:
    """The addresses of its links and pictures."""
    for token in inline(page):
        if token.type in ("link_open", "image"):
            yield str(token.attrs["href" if token.type == "link_open" else "src"])


def target(page: Path, address: str) -> tuple[Path, str]:
    """The target file and anchor of a link of this page inside the clone."""
    parts = urlsplit(address)
    path = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    return path, parts.fragment
