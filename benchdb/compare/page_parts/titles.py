"""The title line of a comparison."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchdb.wording.sizes import unbroken


def title_line(content: Mapping[str, Any]) -> dict[str, Any]:
    """The context of web/partials/title.html for any content; lines break between parts, never before a unit."""
    parts = [content["title"], *content["subtitle"].split(" · ")]
    return {"parts": [unbroken(part) for part in parts if part], "time": None, "state": None}
