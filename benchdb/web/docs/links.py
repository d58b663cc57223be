"""Links between the files of the documentation as links between pages."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from urllib.parse import unquote, urlsplit

from django.templatetags.static import static
from markdown_it.token import Token

from .files import INDEX, PICTURES, address, files

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
