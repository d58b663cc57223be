"""JSON: the content as it is, schema `benchdb.table/1` or `benchdb.surface/1`. Figures are in base units."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

MEDIA_TYPE = "application/json"


def export(content: Mapping[str, Any]) -> str:
    """The whole content. Raises ValueError for a number that JSON does not have."""
    return json.dumps(content, ensure_ascii=False, allow_nan=False)
