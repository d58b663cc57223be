"""JSON: the content as it was evaluated or frozen, every digit of it, with the address it stands at."""

from __future__ import annotations

import orjson

from benchdb.exports.contents import Content
from benchdb.exports.origin import Origin

MEDIA_TYPE = "application/json"


def export(content: Content, origin: Origin) -> str | bytes:
    """The whole content. NaN is in none: statistics give None for what is no number, and nothing else is frozen."""
    return orjson.dumps({"address": origin.address, "frozen": origin.frozen, **content})
