"""Text that a spreadsheet would take for a formula. CSV and TSV put a quote before it (OWASP, CSV injection)."""

from __future__ import annotations

import re
from typing import Any

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
# In the middle of a text: where decimals have a comma, spreadsheets part the lines of CSV at semicolons, quotes or not.
_PARTED = re.compile(r"([;\t\r\n] *)(?=[=+\-@＝＋－＠])")


def defused(value: Any) -> Any:
    """The value; text that begins like a formula, or parts of which would, gets a quote there, which keeps it text."""
    if not isinstance(value, str):
        return value
    text = _PARTED.sub(r"\1'", value)
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) else text
