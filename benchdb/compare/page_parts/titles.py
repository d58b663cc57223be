"""The title line of a comparison, and its description for link previews."""

from __future__ import annotations

from benchdb.compare.content import Content
from benchdb.wording.sizes import unbroken
from benchdb.wording.words import cut

LONGEST_DESCRIPTION = 300  # characters; previews show less


def page_of(content: Content, words: str = "", **of_kind: object) -> dict[str, object]:
    """What the pages of all contents show, besides what is of their kind: the context of its templates.

    `description` is a sentence for link previews and search engines, the `words` if there are any.
    """
    return {
        "title": title_line(content),
        "description": describe(content, words),
        "notes": content.notes,
        "statistics": f"statistics {content.statistics_version}",
        "section": "compare",
        **of_kind,
    }


def title_line(content: Content) -> dict[str, object]:
    """The title of any content and the parts of its subtitle."""
    parts = [content.title, *content.subtitle.split(" · ")]
    # The context of web/partials/title.html; lines break between parts, never before a unit.
    return {"parts": [unbroken(part) for part in parts if part], "time": None, "state": None}


def describe(content: Content, answer: str = "") -> str:
    """The answer of a content, or its title line if it has none, for `<meta name="description">`."""
    text = answer or " · ".join(filter(None, [content.title, content.subtitle]))
    return cut(text, LONGEST_DESCRIPTION)
