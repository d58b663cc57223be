"""JSON: the content as it was evaluated or frozen, every digit of it, with the address it stands at.

A content that was frozen in schema 1 (`benchdb.table/1`, `benchdb.surface/1`) is served as it has always been, without.
"""

from __future__ import annotations

import json

import orjson

from .contents import Content
from .origin import Origin

MEDIA_TYPE = "application/json"
OLD = ("benchdb.table/1", "benchdb.surface/1")


def export(content: Content, origin: Origin) -> str | bytes:
    """The whole content. NaN is in none: statistics give None for what is no number, and nothing else is frozen."""
    if content["schema"] in OLD:
        return json.dumps(content, ensure_ascii=False, allow_nan=False)
    return orjson.dumps({"address": origin.address, "frozen": origin.frozen, **content})
