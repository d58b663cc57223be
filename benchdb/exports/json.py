"""JSON: the content as it was evaluated or frozen, every digit of it, with the address it stands at.

A content that was frozen in schema 1 (`benchdb.table/1`, `benchdb.surface/1`) is served as it has always been, without.
"""

from __future__ import annotations

import json
from typing import Any

from .contents import Content
from .origin import Origin

MEDIA_TYPE = "application/json"
OLD = ("benchdb.table/1", "benchdb.surface/1")


def export(content: Content, origin: Origin) -> str:
    """The whole content. Raises ValueError for a number that JSON does not have."""
    known: dict[str, Any] = {} if content["schema"] in OLD else {"address": origin.address, "frozen": origin.frozen}
    return json.dumps({**known, **content}, ensure_ascii=False, allow_nan=False)
