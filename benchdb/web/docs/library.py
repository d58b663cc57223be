"""The pages of the documentation, each rendered when it is first read."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from urllib.parse import unquote, urlsplit

from django.templatetags.static import static
from django.utils.safestring import SafeString, mark_safe
from markdown_it.token import Token

from .files import INDEX, PICTURES, address, files
from .markup import markdown

LISTED = 3  # the deepest level of headings in the table of contents
SUMMARY = 300  # characters


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading below the title. `level` is 2 for h2; `words` is its text without markup."""

    level: int
    anchor: str
    words: str


@dataclass(frozen=True, slots=True)
class DocsPage:
    """The context of web/docs.html.

    `title` is text, `body` the HTML after the title, `summary` the beginning of the first paragraph as text. `contents`
    are the headings of the table of contents. `name` is empty for the index.
    """

    name: str
    title: str
    summary: str
    contents: Sequence[Heading]
    body: SafeString

    @property
    def address(self) -> str:
        """The address of the page."""
        return address(self.name)


def find(name: str) -> DocsPage | None:
    """The page with this name; None if there is no such file."""
    return _kept(name) if name in files() else None


def everything() -> Iterator[DocsPage]:
    """All pages."""
    return map(_kept, files())


@cache
def _kept(name: str) -> DocsPage:
    return rendered(files()[name].read_text(), name)


def rendered(text: str, name: str) -> DocsPage:
    """The page that a Markdown text makes under a name. Its first heading is the title."""
    tokens = markdown.parse(text)
    title, *others = list(_headings(tokens))
    resolve(tokens, name)
    start = next(i for i, token in enumerate(tokens) if token.type == "heading_close") + 1
    first = next((_words(token) for token in tokens[start:] if token.type == "inline"), "")
    return DocsPage(
        name,
        title.words,
        first if len(first) <= SUMMARY else f"{first[:SUMMARY].rpartition(' ')[0]} …",
        [heading for heading in others if heading.level <= LISTED],
        # The renderer escapes every text and drops HTML; the files come with the program.
        mark_safe(markdown.renderer.render(tokens[start:], markdown.options, {})),
    )


def _headings(tokens: Sequence[Token]) -> Iterator[Heading]:
    for before, token in pairwise(tokens):
        if before.type == "heading_open":
            yield Heading(int(before.tag[1:]), str(before.attrs.get("id", "")), _words(token))


def _words(token: Token) -> str:
    """The text of a paragraph or heading without markup."""
    texts = (" " if child.type == "softbreak" else child.content for child in token.children or ())
    return "".join(texts)


OUTSIDE = ("http", "https", "mailto")


def resolve(tokens: Sequence[Token], name: str) -> None:
    """Change the links and pictures of page `name` in place.

    A link to a file that is no page of the site, such as a source, becomes text.
    """
    for token in tokens:
        token.children = [*_resolved(token.children or [], name)]


def _resolved(children: Sequence[Token], name: str) -> Iterator[Token]:
    leads = True  # links do not nest
    for token in children:
        if token.type == "image":
            token.attrSet(
                "src", static(f"docs/{posixpath.relpath(_in_folder(str(token.attrs['src']), name), PICTURES)}")
            )
        elif token.type == "link_open":
            href = page_address(str(token.attrs["href"]), name)
            leads = href is not None
            token.attrSet("href", href or "")
        if leads or token.type not in ("link_open", "link_close"):
            yield token


def page_address(link: str, name: str) -> str | None:
    """The address to which a link of page `name` leads; None if the site has nothing there."""
    parts = urlsplit(link)
    if parts.scheme in OUTSIDE or not parts.path:
        return link
    path = _in_folder(parts.path, name)
    target = path.removesuffix(".md")
    target = "" if target == INDEX else target
    return address(target, parts.fragment) if path.endswith(".md") and target in files() else None


def _in_folder(link: str, name: str) -> str:
    """The path of a relative link of page `name`, from the folder of the documentation."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(link)))
