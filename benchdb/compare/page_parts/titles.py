"""The title line of a comparison."""

from __future__ import annotations

from benchdb.compare.content import Content
from benchdb.compare.kind import TitleLine
from benchdb.wording.sizes import unbroken


def title_line(content: Content) -> TitleLine:
    """The title of any content and the parts of its subtitle."""
    parts = [content.title, *content.subtitle.split(" · ")]
    return TitleLine([unbroken(part) for part in parts if part])
